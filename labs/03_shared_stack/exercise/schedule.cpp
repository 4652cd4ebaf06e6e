// Step 3.3: cloudwu's schedule. The contracts are in ../schedule.h, ../move.h and ../switch_to.h. Given:
//
//     switch_to(from, to, {why, left}, plan)
//                                        the checked, recorded switch: calls `plan`, has its move carried out by
//                                        leave_copy_go_on, and swaps the registers (../switch_to.h)
//     Copier::of(backend)                this thread's copier, which has its own small stack
//     copier.registers_for(move, next)   its registers: when they are entered, Copier::serve carries out this move
//     swap_registers(backend, next, current)
//                                        the bare swap: saves into `current`, loads `next`
//     shared_stack_of(core)              the shared stack of a coroutine; null for the main context
//     stack.bounds(), stack.settle(co)   its bytes; sets its owner, null for none (../shared_stack.h)
//     co->live, co->image                bytes that were live when it left, and its copy of them; a Core that is not
//                                        the main context is a SharedStackCoroutine (../shared_stack_coroutine.h)
//     co->has_context()                  false before its first entry; co->make_first_context() prepares it
//     living(id)                         the coroutine with that number; throws std::out_of_range if there is none
//     require_main(member)               refuses a resume on another thread, or from inside a coroutine
//     require_can_yield(member)          refuses a yield while control is on another stack
//     kit::refuse_yield()                refuses a yield when no coroutine of the schedule is running
//     bury(id)                           removes a coroutine after its end, rethrows the exception that escaped it
//     kit::thread_state().callers        the stack of callers, as in lab 01
//     member.job                         the function and its exception: see labs/02_ucontext/job.h
#include "labs/03_shared_stack/schedule.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab03 {

// A coroutine that leaves the stack is saved at once; one that enters is restored at once. And one that ends?
Move plan_eagerly([[maybe_unused]] kit::Core& previous, [[maybe_unused]] kit::Core& next) noexcept {
    kit::not_implemented("3.3", "plan_eagerly: choose the coroutine that goes out and the one that comes in");
}

// First out, then in. A coroutine that has never run has no image.
void carry_out([[maybe_unused]] const Move& move) noexcept {
    kit::not_implemented("3.3", "carry_out: save one, change the owner, restore the other");
}

// On whose stack does this function run, and which bytes does the move overwrite?
void* leave_copy_go_on([[maybe_unused]] const Move& move, [[maybe_unused]] const SharedStack* left,
                       [[maybe_unused]] const ContextBackend& backend, [[maybe_unused]] void* next) noexcept {
    kit::not_implemented("3.3", "leave_copy_go_on: carry the move out here, or have the copier do it");
}

// Never returns: after the swap it is entered again, for the next move. The copier's data: backend_, move_, onward_ and
// own_registers().
void Copier::serve([[maybe_unused]] void* self) {
    kit::not_implemented("3.3", "Copier::serve: carry out one move after another");
}

// Searches like cloudwu: once around, from the slot with the number alive_.
std::size_t Schedule::free_slot() {
    kit::not_implemented("3.3",
                         "Schedule::free_slot: find a slot for a new coroutine, and double the slots if all are taken");
}

void Schedule::resume([[maybe_unused]] int id) {
    kit::not_implemented("3.3", "Schedule::resume: run it until it yields or ends");
}

// When control comes back here, the coroutine may have to unwind: job.stop_if_unwinding().
void Schedule::yield() { kit::not_implemented("3.3", "Schedule::yield: go back to the main context"); }

void Schedule::finish([[maybe_unused]] Member& member) {
    kit::not_implemented("3.3", "Schedule::finish: end, and go back to the main context");
}

Status Schedule::status([[maybe_unused]] int id) const {
    kit::not_implemented("3.3", "Schedule::status: cloudwu's name for the state of a coroutine");
}

}  // namespace fiberscope::lab03
