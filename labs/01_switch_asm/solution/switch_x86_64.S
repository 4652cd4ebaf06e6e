/* void _switch(Context* next, Context* current);      System V x86_64
 *
 *     rdi   next      loaded
 *     rsi   current   saved
 *
 * On entry (%rsp) holds the return address. It is saved as `rip`, and `rsp` with its value after the return, so that
 * the switch can end with a jump. A `ret` to another stack is always mispredicted by the return stack buffer, which
 * costs more than the rest of the switch.
 */
        .text
        .globl  _switch
        .type   _switch, @function
        .p2align 4
_switch:
        .cfi_startproc
        leaq    8(%rsp), %rax
        movq    (%rsp), %rcx
        movq    %rax,  0(%rsi)
        movq    %rbp,  8(%rsi)
        movq    %rcx, 16(%rsi)
        movq    %rbx, 24(%rsi)
        movq    %r12, 32(%rsi)
        movq    %r13, 40(%rsi)
        movq    %r14, 48(%rsi)
        movq    %r15, 56(%rsi)

        movq    16(%rdi), %rdx
        movq    56(%rdi), %r15
        movq    48(%rdi), %r14
        movq    40(%rdi), %r13
        movq    32(%rdi), %r12
        movq    24(%rdi), %rbx
        movq     8(%rdi), %rbp
        movq     0(%rdi), %rsp
        .cfi_def_cfa %rsp, 0            /* now the unwinder continues in `next`, */
        .cfi_register %rip, %rdx        /* at the address in rdx */
        jmpq    *%rdx
        .cfi_endproc
        .size   _switch, . - _switch

        .section .note.GNU-stack, "", @progbits
