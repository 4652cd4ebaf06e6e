// Step 3.3: cloudwu's schedule. The contracts are in ../schedule.h and ../move.h; what you are given:
//
//     switch_to(from, to, {why, left}, plan)
//                                        the checked, recorded switch: asks `plan` what to move, has it moved by
//                                        leave_copy_go_on, and swaps the registers (../switch_to.h)
//     Copier::of(backend)                this thread's copier, which has a small stack of its own
//     copier.registers_for(move, next)   its registers: when they are entered, Copier::serve goes on with this move
//     swap_registers(backend, next, current)
//                                        the bare swap: saves into `current`, loads `next`
//     shared_stack_of(core)              the stack that it runs on; null for the main context
//     stack.bounds(), stack.settle(one)  its bytes; whose they are from now on, null for none (../shared_stack.h)
//     one->live, one->image              bytes that were live when it left, and its copy of them; a Core that is not
//                                        the main context is a SharedStackCoroutine (../shared_stack_coroutine.h)
//     one->has_context()                 false before its first entry; one->make_first_context() prepares that
//     living(id)                         the coroutine with that number, or std::out_of_range
//     require_main(member)               refuses a resume on another thread, or from inside a coroutine
//     require_can_yield(member)          refuses a yield while control stands on another stack
//     kit::refuse_yield()                refuses a yield that no coroutine of the schedule makes
//     bury(id)                           after its end: takes the coroutine away, rethrows what its function let escape
//     kit::thread_state().callers        which resumed which, as in lab 01
//     member.job                         the function and how it ended: see labs/02_ucontext/job.h
#include "labs/03_shared_stack/schedule.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab03 {

// What leaves the stack is saved at once; what comes is put back at once. And one that ends?
Move plan_eagerly([[maybe_unused]] kit::Core& previous, [[maybe_unused]] kit::Core& next) noexcept {
    kit::not_implemented("3.3", "plan_eagerly: which one goes out of the stack, and which one comes in");
}

// First out, then in. What has never run has no image.
void carry_out([[maybe_unused]] const Move& move) noexcept {
    kit::not_implemented("3.3", "carry_out: save one, change the owner, restore the other");
}

// On whose stack does this function run, and which bytes does the move overwrite?
void* leave_copy_go_on([[maybe_unused]] const Move& move, [[maybe_unused]] const SharedStack* left,
                       [[maybe_unused]] const ContextBackend& backend, [[maybe_unused]] void* next) noexcept {
    kit::not_implemented("3.3", "leave_copy_go_on: carry the move out here, or have the copier do it");
}

// It never returns: after the swap it is entered again, for the next move. Its own data: backend_, move_, onward_ and
// own_registers().
void Copier::serve([[maybe_unused]] void* self) {
    kit::not_implemented("3.3", "Copier::serve: copy for another one and go on, again and again");
}

// Where cloudwu looks: from the slot that has the number of those alive, once around.
std::size_t Schedule::free_slot() {
    kit::not_implemented("3.3", "Schedule::free_slot: a slot for a new coroutine, and twice as many if all are taken");
}

void Schedule::resume([[maybe_unused]] int id) {
    kit::not_implemented("3.3", "Schedule::resume: run it until it yields or ends");
}

// When control comes back here, the coroutine may be asked to unwind: job.stop_if_unwinding().
void Schedule::yield() { kit::not_implemented("3.3", "Schedule::yield: back to the main context"); }

void Schedule::finish([[maybe_unused]] Member& member) {
    kit::not_implemented("3.3", "Schedule::finish: the end, back to the main context");
}

Status Schedule::status([[maybe_unused]] int id) const {
    kit::not_implemented("3.3", "Schedule::status: cloudwu's word for the state of a coroutine");
}

}  // namespace fiberscope::lab03
