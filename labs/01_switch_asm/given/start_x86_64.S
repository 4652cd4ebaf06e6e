/* The first code of a new context. A switch jumps here with
 *
 *     rsp   the top of the new stack, aligned to 16
 *     r12   the entry
 *     r13   its argument
 *
 * The call aligns the stack for the entry as for any function. Backtraces end here, because the return address of this
 * frame is declared undefined.
 */
        .text
        .globl  context_start
        .type   context_start, @function
context_start:
        .cfi_startproc
        .cfi_undefined %rip
        movq    %r13, %rdi
        callq   *%r12
        call    fiberscope_entry_returned@PLT
        ud2
        .cfi_endproc
        .size   context_start, . - context_start

        .section .note.GNU-stack, "", @progbits
