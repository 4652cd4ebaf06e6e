/* void _switch(Context* next, Context* current);      AAPCS64
 *
 *     x0   next      loaded
 *     x1   current   saved
 *
 * Callee-saved are x19 to x28, the frame pointer x29, the stack pointer, and the low halves of v8 to v15. The return
 * address is in x30; the switch ends by jumping to the one of `next`.
 */
        .text
        .globl  _switch
        .type   _switch, %function
        .p2align 4
_switch:
        .cfi_startproc
        mov     x9, sp
        stp     x9,  x29, [x1, #0]
        stp     x30, x19, [x1, #16]
        stp     x20, x21, [x1, #32]
        stp     x22, x23, [x1, #48]
        stp     x24, x25, [x1, #64]
        stp     x26, x27, [x1, #80]
        str     x28,      [x1, #96]
        stp     d8,  d9,  [x1, #104]
        stp     d10, d11, [x1, #120]
        stp     d12, d13, [x1, #136]
        stp     d14, d15, [x1, #152]

        ldp     d14, d15, [x0, #152]
        ldp     d12, d13, [x0, #136]
        ldp     d10, d11, [x0, #120]
        ldp     d8,  d9,  [x0, #104]
        ldr     x28,      [x0, #96]
        ldp     x26, x27, [x0, #80]
        ldp     x24, x25, [x0, #64]
        ldp     x22, x23, [x0, #48]
        ldp     x20, x21, [x0, #32]
        ldp     x30, x19, [x0, #16]
        ldp     x9,  x29, [x0, #0]
        mov     sp, x9                  /* from here on the unwinder continues in `next`, at x30 */
        br      x30
        .cfi_endproc
        .size   _switch, . - _switch

        .section .note.GNU-stack, "", %progbits
