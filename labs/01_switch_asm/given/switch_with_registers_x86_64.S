/* void fiberscope_switch_with_registers(uint64_t values[6], Context* next, Context* current, SwitchFunction function,
 *                                       Observe observe, const void* observer);
 *
 * Loads values into rbx, rbp, r12, r13, r14 and r15, switches by `function`, and stores these registers in values when
 * control returns. For tests, and for the demo that forgets a register.
 */
        .text
        .globl  fiberscope_switch_with_registers
        .type   fiberscope_switch_with_registers, @function
fiberscope_switch_with_registers:
        .cfi_startproc
        pushq   %rbx
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbx, 0
        pushq   %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %rbp, 0
        pushq   %r12
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r12, 0
        pushq   %r13
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r13, 0
        pushq   %r14
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r14, 0
        pushq   %r15
        .cfi_adjust_cfa_offset 8
        .cfi_rel_offset %r15, 0
        pushq   %rdi
        .cfi_adjust_cfa_offset 8

        movq     0(%rdi), %rbx
        movq     8(%rdi), %rbp
        movq    16(%rdi), %r12
        movq    24(%rdi), %r13
        movq    32(%rdi), %r14
        movq    40(%rdi), %r15
        movq    %rsi, %rdi
        movq    %rdx, %rsi
        movq    %rcx, %rdx
        movq    %r8, %rcx
        movq    %r9, %r8
        call    fiberscope_recorded_switch@PLT

        popq    %rdi
        .cfi_adjust_cfa_offset -8
        movq    %rbx,  0(%rdi)
        movq    %rbp,  8(%rdi)
        movq    %r12, 16(%rdi)
        movq    %r13, 24(%rdi)
        movq    %r14, 32(%rdi)
        movq    %r15, 40(%rdi)
        popq    %r15
        .cfi_adjust_cfa_offset -8
        popq    %r14
        .cfi_adjust_cfa_offset -8
        popq    %r13
        .cfi_adjust_cfa_offset -8
        popq    %r12
        .cfi_adjust_cfa_offset -8
        popq    %rbp
        .cfi_adjust_cfa_offset -8
        popq    %rbx
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size   fiberscope_switch_with_registers, . - fiberscope_switch_with_registers

        .section .note.GNU-stack, "", @progbits
