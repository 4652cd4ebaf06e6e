/* The first code of a new context. A switch jumps here with
 *
 *     sp    the top of the new stack, aligned to 16
 *     x19   the entry
 *     x20   its argument
 *
 * Backtraces end here, because the return address of this frame is declared undefined.
 */
        .text
        .globl  context_start
        .type   context_start, %function
context_start:
        .cfi_startproc
        .cfi_undefined x30
        mov     x0, x20
        blr     x19
        bl      fiberscope_entry_returned
        udf     #0
        .cfi_endproc
        .size   context_start, . - context_start

/* Target of call_on_arrival: enters the function as if the code that was left had called it. */
        .globl  fiberscope_arrival
        .type   fiberscope_arrival, %function
fiberscope_arrival:
        .cfi_startproc
        ldp     x30, x9, [sp], #16
        br      x9
        .cfi_endproc
        .size   fiberscope_arrival, . - fiberscope_arrival

        .section .note.GNU-stack, "", %progbits
