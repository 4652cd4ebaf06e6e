/* void fiberscope_recorded_switch(Context* next, Context* current, SwitchFunction function,
 *                                 Observe observe, const void* observer);
 *
 *     rdi next   rsi current   rdx function   rcx observe (or null)   r8 observer
 *
 * Builds on the stack the Context that `function` would save if it were called here, calls observe(observer, that,
 * next), and jumps to function(next, current). All registers that a switch saves reach it unchanged: they are
 * callee-saved, so observe preserves them.
 *
 *     104(%rsp)  return address
 *      96, 88, 80  rdi, rsi, rdx
 *       0 .. 71  Context
 */
        .text
        .globl  fiberscope_recorded_switch
        .type   fiberscope_recorded_switch, @function
        .p2align 4
fiberscope_recorded_switch:
        .cfi_startproc
        testq   %rcx, %rcx
        jz      1f
        subq    $104, %rsp
        .cfi_adjust_cfa_offset 104
        movq    %rdi, 96(%rsp)
        movq    %rsi, 88(%rsp)
        movq    %rdx, 80(%rsp)
        leaq    112(%rsp), %rax
        movq    %rax,  0(%rsp)
        movq    %rbp,  8(%rsp)
        movq    104(%rsp), %rax
        movq    %rax, 16(%rsp)
        movq    %rbx, 24(%rsp)
        movq    %r12, 32(%rsp)
        movq    %r13, 40(%rsp)
        movq    %r14, 48(%rsp)
        movq    %r15, 56(%rsp)
        stmxcsr 64(%rsp)
        fnstcw  68(%rsp)
        movq    %rdi, %rdx
        movq    %rsp, %rsi
        movq    %r8, %rdi
        callq   *%rcx
        movq    96(%rsp), %rdi
        movq    88(%rsp), %rsi
        movq    80(%rsp), %rdx
        addq    $104, %rsp
        .cfi_adjust_cfa_offset -104
1:      jmpq    *%rdx
        .cfi_endproc
        .size   fiberscope_recorded_switch, . - fiberscope_recorded_switch

        .section .note.GNU-stack, "", @progbits
