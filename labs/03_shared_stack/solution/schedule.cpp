#include "labs/03_shared_stack/schedule.h"

#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab03 {

using kit::State;
using trace::Why;

Move plan_eagerly(kit::Core& previous, kit::Core& next) noexcept {
    if (SharedStack* left = shared_stack_of(previous); left != nullptr)
        return {left, previous.state() == State::dead ? nullptr : static_cast<SharedStackCoroutine*>(&previous),
                nullptr};
    return {shared_stack_of(next), nullptr, static_cast<SharedStackCoroutine*>(&next)};
}

void carry_out(const Move& move) noexcept {
    const kit::StackBounds& bounds = move.stack->bounds();
    if (move.out != nullptr) move.out->image.save(bounds, move.out->live);
    move.stack->settle(move.in);
    if (move.in == nullptr) return;
    if (move.in->has_context())
        move.in->image.restore(bounds);
    else
        move.in->make_first_context();
}

void* leave_copy_go_on(const Move& move, const SharedStack* left, const ContextBackend& backend, void* next) noexcept {
    if (move.stack == left) return Copier::of(backend).registers_for(move, next);
    carry_out(move);
    return next;
}

void Copier::serve(void* self) {
    auto& copier = *static_cast<Copier*>(self);
    for (;;) {
        carry_out(copier.move_);
        swap_registers(copier.backend_, copier.onward_, copier.own_registers());
    }
}

std::size_t Schedule::free_slot() {
    const std::size_t capacity = slots_.size();
    if (alive_ == capacity) {
        slots_.resize(2 * capacity);
        return capacity;
    }
    std::size_t slot = alive_;
    while (slots_[slot % capacity].member != nullptr) ++slot;
    return slot % capacity;
}

void Schedule::resume(int id) {
    Member& member = living(id);
    require_main(member);
    kit::CallerStack& callers = kit::thread_state().callers;
    kit::Core& main = *callers.top();
    callers.push(member);
    running_ = id;
    switch_to(main, member, {member.state() == State::new_ ? Why::start : Why::resume, State::normal}, &plan_eagerly);
    if (member.state() == State::dead) bury(id);
}

void Schedule::yield() {
    if (running_ == -1) kit::refuse_yield();
    Member& member = living(running_);
    require_can_yield(member);
    kit::CallerStack& callers = kit::thread_state().callers;
    callers.pop();
    running_ = -1;
    switch_to(member, *callers.top(), {Why::yield, State::suspended}, &plan_eagerly);
    member.job.stop_if_unwinding();
}

void Schedule::finish(Member& member) {
    kit::CallerStack& callers = kit::thread_state().callers;
    callers.pop();
    running_ = -1;
    switch_to(member, *callers.top(), {Why::exit, State::dead}, &plan_eagerly);
}

Status Schedule::status(int id) const {
    const auto slot = static_cast<std::size_t>(id);
    if (id < 0 || slot >= slots_.size() || slots_[slot].member == nullptr) return Status::DEAD;
    switch (slots_[slot].member->state()) {
    case State::new_: return Status::READY;
    case State::running:
    case State::normal: return Status::RUNNING;
    case State::suspended: return Status::SUSPEND;
    default: return Status::DEAD;
    }
}

}  // namespace fiberscope::lab03
