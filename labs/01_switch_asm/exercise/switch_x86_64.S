/* Step 1.2: void _switch(Context* next, Context* current);      System V x86_64
 *
 *     rdi   next      load its registers
 *     rsi   current   save yours here
 *
 * The offsets of the fields are in ../context.h. On entry (%rsp) holds the return address: save it as `rip`, and as
 * `rsp` what the stack pointer will be once it is popped. A function must keep rbx, rbp, r12, r13, r14, r15 and rsp.
 * End by going on at the `rip` of `next`, on the stack of `next`. There are two ways to get there: which is faster?
 */
        .text
        .globl  _switch
        .type   _switch, @function
_switch:
        .cfi_startproc
        andq    $-16, %rsp                      /* these three lines go, */
        leaq    not_written_yet(%rip), %rdi     /* yours come */
        call    fiberscope_not_implemented@PLT  /* in their place */
        .cfi_endproc
        .size   _switch, . - _switch

        .section .rodata
not_written_yet:
        .string "1.2 _switch: save the registers of current, load those of next"

        .section .note.GNU-stack, "", @progbits
