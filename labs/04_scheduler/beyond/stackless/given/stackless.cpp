// Given for C++20's coroutines: the backend by which machines resume them, their start, their waits, and their
// recording.
#include "labs/04_scheduler/beyond/stackless/async.h"

#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "labs/04_scheduler/go_scheduler.h"
#include "labs/04_scheduler/hand_off.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/run/transfer.h"
#include "labs/kit/time/units.h"
#include "languages/message.h"

namespace fiberscope::lab04::stackless {

using trace::FrameOp;
using trace::Why;

namespace {

Coroutine& coroutine(kit::Core& core) noexcept { return static_cast<Coroutine&>(core); }

/// How a coroutine has left, for its machine. Thread-local, because it runs on the machine's stack.
struct Left {
    State as = State::dead;
    std::int64_t until = trace::kAbsent;
    const char* reason = nullptr;
};
thread_local Left left;

void record(const Coroutine& co, FrameOp op, const Frame* innermost) {
    if (trace::recording()) trace::record(kit::now(), trace::frame_event(co.id(), op), frames_in_words(innermost));
}

Coroutine& coroutine_here() noexcept { return coroutine(*kit::thread_state().current); }

}  // namespace

Coroutine::Coroutine(kit::Body&& end, Attributes&& attributes)
    : Core(attributes.kind, trace::Backend::stackless, kit::Stack::borrowed({}), std::move(attributes.name)),
      body(std::move(end)) {}
Coroutine::~Coroutine() {
    if (innermost != nullptr) free_frames();
}

// ---- a turn ---------------------------------------------------------------------------------------------------------

namespace {

// As at the end of a native task's function: makes the task's deferred calls, and destroys its values.
void end(Coroutine& co) {
    if (co.first != nullptr) {
        co.failure = co.first->failure;
        co.first->handle.destroy();
        record(co, co.failure ? FrameOp::fail : FrameOp::return_, nullptr);
    }
    try {
        std::exchange(co.body, nullptr)();
    } catch (...) {
        co.failure = std::current_exception();
    }
}

void run_turn(Coroutine& next, bool unwinds) {
    kit::CallerStack& callers = kit::thread_state().callers;
    kit::Core& machine = *callers.top();
    callers.push(next);
    kit::transfer_in_place(machine, next, {Why::resume, State::normal});
    running_task().reason = nullptr;
    if (unwinds) {
        next.free_frames();
        next.first = nullptr;  // only now: the chain's end may be inspected until here
        record(next, FrameOp::fail, nullptr);
    } else {
        next.go_on();
    }
    const bool goes_on = next.innermost != nullptr;
    if (!goes_on) end(next);
    callers.pop();
    const Left how = goes_on ? left : Left{};
    kit::transfer_in_place(next, machine, {goes_on ? Why::yield : Why::exit, how.as, how.until, how.reason});
}

}  // namespace

struct Backend {
    static void resume(kit::Core& core) {
        if (core.state() == State::dead) kit::refuse(kit::MisuseKind::resume_of_dead, core);
        if (core.state() == State::running || core.state() == State::normal)
            kit::refuse(kit::MisuseKind::resume_of_running, core);
        if (kit::thread_state().callers.full()) kit::refuse(kit::MisuseKind::nesting_too_deep, core);
        run_turn(coroutine(core), false);
    }
    static void unwind(kit::Core& core) {
        if (kit::must_unwind(core)) run_turn(coroutine(core), true);
    }
    static void after_end(kit::Core& core) {
        if (coroutine(core).failure) std::rethrow_exception(std::exchange(coroutine(core).failure, nullptr));
    }
    // A plain function wants to leave: its frame is on the machine's stack.
    static void yield(State, std::int64_t, const char*) {
        kit::refuse(kit::MisuseKind::native_below, *kit::thread_state().current,
                    "a C++20 coroutine leaves by co_await only");
    }
    static void hand_over(kit::Core&, State as, std::int64_t until, const char* reason) { yield(as, until, reason); }
};

constexpr kit::CoroutineBackend kBackend = kit::backend_of<Backend, Coroutine>("stackless", 0);
const kit::CoroutineBackend backend = kBackend;

// ---- how one begins and leaves --------------------------------------------------------------------------------------

Handle go(Async<void> function, Attributes attributes) {
    Scheduler& sched = Scheduler::of_this_thread();
    if (dynamic_cast<HandOff*>(&sched.strategy()) != nullptr)
        throw std::logic_error("hand-off goes from one native stack to another, and a C++20 coroutine has none");
    const auto prepare = [](Task& task, const void* with) {
        task.defers = dynamic_cast<GoScheduler*>(&task.sched->strategy()) != nullptr;
        Coroutine& co = coroutine(task.core());
        co.innermost = co.first = &static_cast<Async<void>*>(const_cast<void*>(with))->give();
        record(co, FrameOp::call, co.first);
    };
    const OtherBackend other{backend, prepare, &function};
    const auto at_the_end = [] {
        std::exception_ptr& failure = coroutine_here().failure;
        if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
    };
    return sched.go(at_the_end, std::move(attributes), {.other = &other});
}

void Leave::leave(Frame& frame) KIT_UNCHECKED {  // hands over a lock
    Task& self = running_task();
    left = {as_};
    if (as_ != State::ready) {
        self.fd = kNoDescriptor;
        self.deadline = ns_ == kNever ? kNever : kit::plus(kit::now(), ns_);
        self.reason = reason_;
        const bool never = as_ == State::waiting && self.deadline == kNever;
        left = {as_, never ? trace::kAbsent : kit::in_trace(self.deadline), reason_};
    }
    Coroutine& co = coroutine_here();
    suspend(co, frame);
    record(co, FrameOp::at, &frame);
    if (lock_ == nullptr) return;
    if (self.sched->is_shared())
        machine_here()->handed = lock_;  // released by the loop when the task can be woken
    else
        lock_->unlock();
}

Wake Leave::await_resume() const { return running_task().woken; }

// ---- what waits -----------------------------------------------------------------------------------------------------

// lab04::join again: each function on the way to a co_await must be async.
Async<Wake> join(Handle handle) KIT_UNCHECKED {
    const std::string reason = message(kToEnd, handle.name());
    Task& target = handle.task();
    Scheduler::require_own_thread(target);
    Task& self = running_task();
    kit::Lock& ours = self.sched->shared().lock();
    kit::Lock& theirs = target.sched->shared().lock();
    for (;;) {
        std::unique_lock<kit::Lock> own(ours, std::defer_lock), other(theirs, std::defer_lock);
        if (&ours == &theirs)
            own.lock();
        else
            std::lock(own, other);
        if (handle.done()) co_return Wake::event;
        if (target.joining() == nullptr) target.joining() = std::make_unique<std::vector<Handle>>();
        target.joining()->emplace_back(self);
        if (other.owns_lock()) other.unlock();
        own.release();
        if (co_await park(reason.c_str(), ours) == Wake::event) continue;
        const kit::Guard look(theirs);
        if (target.joining() != nullptr)
            std::erase_if(*target.joining(), [&](const Handle& joiner) { return &joiner.task() == &self; });
        co_return Wake::cancelled;
    }
}

/// Its entry in a channel's queue, removed also if the frame is destroyed while it waits.
struct Exchange::InQueue {
    std::unique_lock<kit::Lock>& held;
    ChannelCore& channel;
    Operation& self;
    ~InQueue() KIT_UNCHECKED {
        if (!held.owns_lock()) held.lock();
        channel.remove_waiter(self);
    }
};

// ChannelCore::run and wait again.
Async<Outcome> Exchange::run(ChannelCore& channel, Direction direction, void* element) KIT_UNCHECKED {
    Waiting waiting{running_task()};
    Operation self{channel, waiting, direction, element};
    std::unique_lock<kit::Lock> held(channel.lock_);
    if (channel.try_now(self) == Outcome::must_wait) {
        channel.insert_waiter(self);
        const InQueue in_queue{held, channel, self};
        Wake woken = Wake::event;
        while (waiting.claimed == nullptr && woken != Wake::cancelled) {
            waiting.lock.lock();
            held.unlock();
            woken = co_await park(channel.reason_of(direction).c_str(), waiting.lock);
            held.lock();
        }
        if (waiting.claimed == nullptr) self.outcome = Outcome::cancelled;
    }
    held.unlock();
    if (direction == Direction::send && self.outcome == Outcome::closed) channel.refuse_closed("a value is sent to");
    co_return self.outcome;
}

// ---- recording ------------------------------------------------------------------------------------------------------

std::string frames_in_words(const Frame* innermost) {
    std::string words;
    for (const Frame* frame = innermost; frame != nullptr; frame = frame->caller) {
        words += (words.empty() ? "" : "; ") + std::string(frame->function);
        if (frame->line != 0) words += ":" + std::to_string(frame->line);
    }
    return words.empty() ? "none" : words;
}

void record_call(const Frame& callee) { record(coroutine_here(), FrameOp::call, &callee); }
void record_end(const Frame& callee) {
    record(coroutine_here(), callee.failure ? FrameOp::fail : FrameOp::return_, callee.caller);
}

}  // namespace fiberscope::lab04::stackless
