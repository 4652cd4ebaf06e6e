/* void fiberscope_switch_with_registers(uint64_t values[19], Context* next, Context* current, SwitchFunction function,
 *                                       Observe observe, const void* observer);
 *
 * Loads values into x19 to x28, x29 and d8 to d15, switches by `function`, and stores these registers in values when
 * control returns. For tests, and for the demo that forgets a register.
 */
        .text
        .globl  fiberscope_switch_with_registers
        .type   fiberscope_switch_with_registers, %function
fiberscope_switch_with_registers:
        .cfi_startproc
        sub     sp, sp, #176
        .cfi_adjust_cfa_offset 176
        stp     x29, x30, [sp, #0]
        .cfi_rel_offset x29, 0
        .cfi_rel_offset x30, 8
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8,  d9,  [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        str     x0,       [sp, #160]

        ldp     x19, x20, [x0, #0]
        ldp     x21, x22, [x0, #16]
        ldp     x23, x24, [x0, #32]
        ldp     x25, x26, [x0, #48]
        ldp     x27, x28, [x0, #64]
        ldr     x29,      [x0, #80]
        ldp     d8,  d9,  [x0, #88]
        ldp     d10, d11, [x0, #104]
        ldp     d12, d13, [x0, #120]
        ldp     d14, d15, [x0, #136]
        mov     x0, x1
        mov     x1, x2
        mov     x2, x3
        mov     x3, x4
        mov     x4, x5
        bl      fiberscope_recorded_switch

        ldr     x0,       [sp, #160]
        stp     x19, x20, [x0, #0]
        stp     x21, x22, [x0, #16]
        stp     x23, x24, [x0, #32]
        stp     x25, x26, [x0, #48]
        stp     x27, x28, [x0, #64]
        str     x29,      [x0, #80]
        stp     d8,  d9,  [x0, #88]
        stp     d10, d11, [x0, #104]
        stp     d12, d13, [x0, #120]
        stp     d14, d15, [x0, #136]
        ldp     x29, x30, [sp, #0]
        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     d8,  d9,  [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        add     sp, sp, #176
        .cfi_adjust_cfa_offset -176
        ret
        .cfi_endproc
        .size   fiberscope_switch_with_registers, . - fiberscope_switch_with_registers

        .section .note.GNU-stack, "", %progbits
