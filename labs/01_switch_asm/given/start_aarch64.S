/* Where a new context begins. Control comes from a switch that jumped here, with
 *
 *     sp    the top of the new stack, aligned to 16
 *     x19   the entry
 *     x20   its argument
 *
 * A debugger that unwinds stops here, because the return address of this frame is said to be undefined.
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

/* Where call_on_arrival sends a context: as if the code that it left had called the function. */
        .globl  fiberscope_arrival
        .type   fiberscope_arrival, %function
fiberscope_arrival:
        .cfi_startproc
        ldp     x30, x9, [sp], #16
        br      x9
        .cfi_endproc
        .size   fiberscope_arrival, . - fiberscope_arrival

        .section .note.GNU-stack, "", %progbits
