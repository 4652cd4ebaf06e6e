/* Step 1.2: void _switch(Context* next, Context* current);      AAPCS64 (only on an Arm machine)
 *
 *     x0   next      load its registers
 *     x1   current   save yours here
 *
 * The offsets of the fields are in ../context.h. The return address is in x30 (lr). A function must keep x19 to x28,
 * the frame pointer x29, the stack pointer, and d8 to d15. sp cannot be stored or loaded directly: go through another
 * one.
 */
        .text
        .globl  _switch
        .type   _switch, %function
_switch:
        .cfi_startproc
        adrp    x0, not_written_yet             /* these three lines go, */
        add     x0, x0, :lo12:not_written_yet   /* yours come */
        bl      fiberscope_not_implemented      /* in their place */
        .cfi_endproc
        .size   _switch, . - _switch

        .section .rodata
not_written_yet:
        .string "1.2 _switch: save the registers of current, load those of next"

        .section .note.GNU-stack, "", %progbits
