/* void _switch_float(Context* next, Context* current);      AAPCS64
 *
 * `_switch`, which also keeps fpcr (floating-point rounding and exceptions). It is loaded only if it differs, because
 * loading it waits for all earlier instructions.
 */
        .text
        .globl  _switch_float
        .type   _switch_float, %function
        .p2align 4
_switch_float:
        .cfi_startproc
        mrs     x9, fpcr
        str     x9, [x1, #168]
        ldr     x10, [x0, #168]
        cmp     x9, x10
        b.eq    1f
        msr     fpcr, x10
1:      b       _switch
        .cfi_endproc
        .size   _switch_float, . - _switch_float

        .section .note.GNU-stack, "", %progbits
