/* void fiberscope_recorded_switch(Context* next, Context* current, SwitchFunction function,
 *                                 Observe observe, const void* observer);
 *
 *     x0 next   x1 current   x2 function   x3 observe (or null)   x4 observer
 *
 * Builds on the stack the Context that `function` would save if it were called here, calls observe(observer, that,
 * next), and jumps to function(next, current). All registers that a switch saves reach it unchanged: they are
 * callee-saved, so observe preserves them.
 *
 *     sp + 0 .. 175    Context
 *     sp + 176 .. 207  x0, x1, x2, x30
 */
        .text
        .globl  fiberscope_recorded_switch
        .type   fiberscope_recorded_switch, %function
        .p2align 4
fiberscope_recorded_switch:
        .cfi_startproc
        cbz     x3, 1f
        mov     x9, sp
        sub     sp, sp, #208
        .cfi_adjust_cfa_offset 208
        stp     x0,  x1,  [sp, #176]
        stp     x2,  x30, [sp, #192]
        .cfi_offset x30, -8
        stp     x9,  x29, [sp, #0]
        stp     x30, x19, [sp, #16]
        stp     x20, x21, [sp, #32]
        stp     x22, x23, [sp, #48]
        stp     x24, x25, [sp, #64]
        stp     x26, x27, [sp, #80]
        str     x28,      [sp, #96]
        stp     d8,  d9,  [sp, #104]
        stp     d10, d11, [sp, #120]
        stp     d12, d13, [sp, #136]
        stp     d14, d15, [sp, #152]
        mrs     x9, fpcr
        str     x9, [sp, #168]
        mov     x2, x0
        mov     x1, sp
        mov     x0, x4
        blr     x3
        ldp     x0,  x1,  [sp, #176]
        ldp     x2,  x30, [sp, #192]
        .cfi_restore x30
        add     sp, sp, #208
        .cfi_adjust_cfa_offset -208
1:      br      x2
        .cfi_endproc
        .size   fiberscope_recorded_switch, . - fiberscope_recorded_switch

        .section .note.GNU-stack, "", %progbits
