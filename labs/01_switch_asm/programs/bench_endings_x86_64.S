/* Two switches that differ only in how they end, for the benchmark. They save the registers on the stack instead of in
 * a Context, and only the stack pointer in *current.
 *
 *     void fiberscope_end_by_ret(void** next, void** current);
 *     void fiberscope_end_by_jmp(void** next, void** current);
 */
        .macro  swap_stacks
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        movq    %rsp, (%rsi)
        movq    (%rdi), %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        .endm

        .text
        .globl  fiberscope_end_by_ret
        .type   fiberscope_end_by_ret, @function
        .p2align 4
fiberscope_end_by_ret:
        swap_stacks
        ret
        .size   fiberscope_end_by_ret, . - fiberscope_end_by_ret

        .globl  fiberscope_end_by_jmp
        .type   fiberscope_end_by_jmp, @function
        .p2align 4
fiberscope_end_by_jmp:
        swap_stacks
        popq    %rdx
        jmpq    *%rdx
        .size   fiberscope_end_by_jmp, . - fiberscope_end_by_jmp

        .section .note.GNU-stack, "", @progbits
