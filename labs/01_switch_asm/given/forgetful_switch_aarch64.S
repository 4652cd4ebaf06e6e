/* void fiberscope_forgetful_switch(Context* next, Context* current);
 *
 * For the demo: a `_switch` that forgets to save x19. It overwrites x19 with the old value in the context before it
 * saves, so the program's value is lost just as if the store were missing.
 */
        .text
        .globl  fiberscope_forgetful_switch
        .type   fiberscope_forgetful_switch, %function
fiberscope_forgetful_switch:
        .cfi_startproc
        ldr     x19, [x1, #24]
        b       _switch
        .cfi_endproc
        .size   fiberscope_forgetful_switch, . - fiberscope_forgetful_switch

        .section .note.GNU-stack, "", %progbits
