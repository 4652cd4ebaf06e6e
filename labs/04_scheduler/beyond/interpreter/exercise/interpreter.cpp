// Step 4.15 (challenge): the interpreter's coroutine. The contracts are in ../interpreter.h. Used here:
//
//     co->frames, co->operands         of the running coroutine; the innermost frame is frames.back()
//     co->resume_pc, co->floor         the next instruction; the number of frames below this loop
//     pc                               the current instruction
//     pop()                            pops an operand
//     leave_loop(how)                  the last action of yield
//     pop_deferred(frame)              removes and returns the last deferred call of a frame
//     kit::refuse(kind, *co)           throws Misuse of that kind
#include "labs/04_scheduler/beyond/interpreter/interpreter.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void Interpreter::enter(InterpretedCoroutine&) {
    kit::not_implemented("4.15", "Interpreter::enter: set the running coroutine, and its instruction");
}

void Interpreter::yield(const Leaving&) {
    kit::not_implemented("4.15", "Interpreter::yield: refuse across a native function; save pc; leave the loop");
}

void Interpreter::call(const Function&, Number, std::size_t) {
    kit::not_implemented("4.15",
                         "Interpreter::call: push a frame, its locals on the operands, go to the first instruction");
}

void Interpreter::ret() { kit::not_implemented("4.15", "Interpreter::ret: store the result; leave the frame"); }

void Interpreter::fail(std::exception_ptr) {
    kit::not_implemented("4.15", "Interpreter::fail: store the failure; leave the frame");
}

void Interpreter::defer(const Function&, Number) {
    kit::not_implemented("4.15", "Interpreter::defer: add the call to the top frame");
}

void Interpreter::leave_frame() {
    kit::not_implemented("4.15",
                         "Interpreter::leave_frame: the deferred calls, the last one first; then off, and on "
                         "with the frame below");
}

}  // namespace fiberscope::lab04
