// Step 4.15 (challenge): the interpreter's coroutine. The contracts are in ../interpreter.h; what you use:
//
//     co->frames, co->operands         of the coroutine that runs here; the innermost frame is frames.back()
//     co->resume_pc, co->floor         where it goes on; how many frames are not of this loop
//     pc                               the instruction that is being carried out
//     pop()                            takes a value off the operands
//     leave_loop(how)                  the last thing that yield does
//     pop_deferred(frame)              the call that a frame has deferred last; it is recorded
//     kit::refuse(kind, *co)           throws Misuse of that kind
#include "labs/04_scheduler/beyond/interpreter/interpreter.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

void Interpreter::enter(InterpretedCoroutine&) {
    kit::not_implemented("4.15", "Interpreter::enter: which coroutine runs here now, and at which instruction");
}

void Interpreter::yield(const Leaving&) {
    kit::not_implemented("4.15", "Interpreter::yield: refuse across a native function; save pc; leave the loop");
}

void Interpreter::call(const Function&, Number, std::size_t) {
    kit::not_implemented("4.15", "Interpreter::call: a frame, its locals on the operands, and the first instruction");
}

void Interpreter::ret() { kit::not_implemented("4.15", "Interpreter::ret: keep the result; the frame leaves"); }

void Interpreter::fail(std::exception_ptr) {
    kit::not_implemented("4.15", "Interpreter::fail: keep why; the frame leaves");
}

void Interpreter::defer(const Function&, Number) {
    kit::not_implemented("4.15", "Interpreter::defer: to the frame on top");
}

void Interpreter::leave_frame() {
    kit::not_implemented("4.15",
                         "Interpreter::leave_frame: the deferred calls, the last one first; then off, and on "
                         "with the frame below");
}

}  // namespace fiberscope::lab04
