// Given parts of the schedule and of libco's coroutines: construction, entries, ends.
#include <stdexcept>
#include <string>
#include <utility>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/schedule.h"
#include "labs/kit/report/abort.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab03 {

using kit::MisuseKind;

// ---- the schedule -----------------------------------------------------------------------------------------------

std::string_view word(Status status) noexcept {
    constexpr std::string_view kWords[] = {"DEAD", "READY", "RUNNING", "SUSPEND"};
    return kWords[static_cast<std::size_t>(status)];
}

Schedule::Member::Member(Schedule& owner, Function function, std::string name, std::uint32_t reuses)
    : SharedStackCoroutine(
          owner.backend_, &owner.stack_, kit::Stack::borrowed(owner.stack_.bounds()), &Schedule::entry,
          [this, call = std::move(function)] { call(schedule); }, std::move(name), reuses),
      schedule(owner) {}

Schedule::Schedule(std::string_view backend, std::size_t stack_size)
    : backend_(context_backend_named(backend)), stack_(stack_size), slots_(kFirstCapacity) {
    Copier::ready(backend_);
}

Schedule::~Schedule() {
    if (running_ != -1) kit::abort_because("a schedule is closed from inside one of its coroutines");
    for (std::size_t slot = 0; alive_ > 0; slot = (slot + 1) % slots_.size())
        if (slots_[slot].member != nullptr) ask_to_end(static_cast<int>(slot));
}

int Schedule::create(Function function, std::string name) {
    const std::size_t slot = free_slot();
    const int id = static_cast<int>(slot);
    slots_[slot].member = std::make_unique<Member>(*this, std::move(function), std::move(name), slots_[slot].last);
    slots_[slot].last = slots_[slot].member->id();
    ++alive_;
    return id;
}

Schedule::Member& Schedule::living(int id) const {
    const auto slot = static_cast<std::size_t>(id);
    if (id < 0 || slot >= slots_.size() || slots_[slot].member == nullptr)
        throw Spoken<std::out_of_range>(message("there is no coroutine {0} in this schedule", id));
    return *slots_[slot].member;
}

const Image& Schedule::image(int id) const { return living(id).image; }

void Schedule::require_main(const Member& member) const {
    if (stack_.thread() != kit::this_thread().own) kit::refuse(MisuseKind::bound_to_thread, member);
    if (kit::this_thread().callers.depth() != 0) kit::refuse(MisuseKind::child_resumes, member);
}

void Schedule::entry(void* self) {
    auto& member = *static_cast<Member*>(static_cast<SharedStackCoroutine*>(self));
    kit::arrive(member);
    member.job.run();
    member.schedule.finish(member);
}

void Schedule::bury(int id) {
    const std::unique_ptr<Member> dead = std::move(slots_[static_cast<std::size_t>(id)].member);
    --alive_;
    if (stack_.owner() == dead.get()) kit::abort_because("a dead coroutine still owns the stack of its schedule");
    dead->job.rethrow_failure();
}

void Schedule::ask_to_end(int id) {
    Member& member = living(id);
    if (!kit::must_unwind(member)) return bury(id);
    member.job.begin_unwinding();
    resume(id);
}

// ---- coroutines -------------------------------------------------------------------------------------------------

namespace {
kit::Stack stack_at(const Place& place) {
    return place.shared != nullptr ? kit::Stack::borrowed(place.shared->bounds()) : kit::Stack(place.stack_size);
}
}  // namespace

Coroutine::Coroutine(const Place& place, Body body, std::string name)
    : SharedStackCoroutine(*place.backend, place.shared, stack_at(place), &Coroutine::entry, std::move(body),
                           std::move(name)) {}

Coroutine::~Coroutine() {
    if (kit::must_unwind(*this)) release();
}

void Coroutine::entry(void* self) {
    auto& coroutine = *static_cast<Coroutine*>(static_cast<SharedStackCoroutine*>(self));
    kit::arrive(coroutine);
    coroutine.job.run();
    // Read again, so that this frame, which is part of the image, need not keep it.
    static_cast<Coroutine&>(static_cast<SharedStackCoroutine&>(*kit::thread_state().current)).finish();
}

void Coroutine::after_end() {
    if (shared() != nullptr)
        release_shared_stack();
    else
        release_stack();
    job.rethrow_failure();
}

void Coroutine::resume_to_unwind() {
    require_own_thread();
    kit::Core& caller = *kit::this_thread().callers.top();
    if (caller.kind() != trace::CoKind::thread && &static_cast<SharedStackCoroutine&>(caller).backend() != &backend())
        kit::abort_because(
            message("coroutine {0} '{1}' is destroyed or released inside one of another backend", id(), name()));
    resume_until_yield();
}

void Coroutine::require_own_thread() const noexcept {
    if (shared() != nullptr && shared()->thread() != kit::this_thread().own)
        kit::abort_because(
            message("coroutine {0} '{1}' is destroyed or released on another thread than that of its shared stack",
                    id(), name()));
}

Coroutine* running() noexcept {
    kit::Core* current = kit::this_thread().current;
    return current->kind() == trace::CoKind::thread ? nullptr : static_cast<Coroutine*>(current);
}

}  // namespace fiberscope::lab03
