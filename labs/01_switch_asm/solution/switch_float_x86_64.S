/* void _switch_float(Context* next, Context* current);      System V x86_64
 *
 * `_switch`, which also keeps the two callee-saved control registers: mxcsr (rounding and exceptions of SSE) and the
 * x87 control word. Each is loaded only if it differs, because loading it waits for all earlier instructions.
 */
        .text
        .globl  _switch_float
        .type   _switch_float, @function
        .p2align 4
_switch_float:
        .cfi_startproc
        stmxcsr 64(%rsi)
        fnstcw  68(%rsi)
        movl    64(%rdi), %eax
        xorl    64(%rsi), %eax
        testl   $0xffc0, %eax           /* the low six bits are flags, which any function may change */
        je      1f
        ldmxcsr 64(%rdi)
1:      movzwl  68(%rdi), %eax
        cmpw    %ax, 68(%rsi)
        je      2f
        fldcw   68(%rdi)
2:      jmp     _switch@PLT
        .cfi_endproc
        .size   _switch_float, . - _switch_float

        .section .note.GNU-stack, "", @progbits
