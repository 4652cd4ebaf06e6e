/* void fiberscope_forgetful_switch(Context* next, Context* current);
 *
 * For the demo: a `_switch` that forgets to save rbx. It overwrites rbx with the old value in the context before it
 * saves, so the program's value is lost just as if the store were missing.
 */
        .text
        .globl  fiberscope_forgetful_switch
        .type   fiberscope_forgetful_switch, @function
fiberscope_forgetful_switch:
        .cfi_startproc
        movq    24(%rsi), %rbx
        jmp     _switch@PLT
        .cfi_endproc
        .size   fiberscope_forgetful_switch, . - fiberscope_forgetful_switch

        .section .note.GNU-stack, "", @progbits
