// Given functions for tasks: the running task, yielding in a state, parking, joining, and descriptions.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/parts/scheduler_parts.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/time/exactly.h"
#include "labs/kit/time/units.h"
#include "languages/message.h"

namespace fiberscope::lab04 {

namespace {

constexpr Text kReadable = mark("fd {0} to be readable"), kWritable = mark("fd {0} to be writable");
static_assert(kReadable.english.size() == kWritable.english.size());

/// A message (languages/message.h), formatted by hand, because a coroutine's stack may be small.
class DescriptorWords {
  public:
    DescriptorWords(int fd, Want want) noexcept {
        constexpr std::size_t kSize = kReadable.english.size();
        (want == Want::read ? kReadable : kWritable).english.copy(text_, kSize);
        text_[kSize] = '\t';
        std::to_chars(text_ + kSize + 1, text_ + sizeof text_ - 1, fd);
    }
    const char* text() const noexcept { return text_; }

  private:
    char text_[32]{};
};

/// End of a sleep for the trace; sleeping forever is recorded as the largest time of a trace.
std::int64_t until_in_trace(State left, std::uint64_t deadline) noexcept {
    return left != State::sleeping && deadline == kNever ? trace::kAbsent : kit::in_trace(deadline);
}

// All separate functions: inlined, their stack space would be part of every frame of yield_as() and fetched again with
// each event.
[[noreturn, gnu::noinline, gnu::cold]] void refuse_descriptor(const Task& self) {
    throw SpokenSystemError(EBADF, message("task '{0}' cannot wait for descriptor {1}", self.core().name(), self.fd));
}
[[gnu::noinline]] Wake leave_for_descriptor(Task& self, std::int64_t until) {
    const DescriptorWords words(self.fd, self.want);
    leave(self, State::waiting, until, words.text());
    return self.woken;
}
[[gnu::noinline]] Wake leave_until_woken(Task& self, State as, std::int64_t until, const char* reason) {
    leave(self, as, until, reason);
    return self.woken;
}

}  // namespace

Task& running_task() {
    const kit::ThreadState& thread = kit::thread_state();
    const Machine* machine = machine_here();
    // Outside of tasks, no task has its coroutine at this address.
    const auto core = [](const Task* task) { return reinterpret_cast<std::uintptr_t>(task) + sizeof(Task); };
    if (machine == nullptr || core(machine->running) != reinterpret_cast<std::uintptr_t>(thread.current)) [[unlikely]]
        kit::refuse(kit::MisuseKind::not_a_task, *kit::this_thread().current);
    return *machine->running;
}

void leave(Task& self, State left, std::int64_t until, const char* reason) {
    self.sched->strategy().leave(self, left, until, reason);
}

Wake yield_as(Task& self, State as) {
    if (as == State::waiting && self.fd < 0 && self.reason == nullptr) [[unlikely]]
        refuse_descriptor(self);
    const std::int64_t until = until_in_trace(as, self.deadline);
    if (as == State::waiting && self.waits_for_descriptor()) {
        if (!self.sched->is_shared()) self.sched->parts_->prefetcher.on_wait(self, __builtin_frame_address(0));
        if (trace::recording()) [[unlikely]]
            return leave_for_descriptor(self, until);
        return leave_until_woken(self, as, until, nullptr);
    }
    return leave_until_woken(self, as, until, as == State::waiting ? self.reason : nullptr);
}

Handle go(Body body, Attributes attributes) {
    return Scheduler::of_this_thread().go(std::move(body), std::move(attributes));
}
Handle go_on(unsigned machine, Body body, Attributes attributes) {
    return Scheduler::of_this_thread().go(std::move(body), std::move(attributes),
                                          {.pinned = static_cast<int>(machine)});
}
Handle go_system(Body body, Attributes attributes) {
    return Scheduler::of_this_thread().go(std::move(body), std::move(attributes), {.system = true});
}

Wake park(const char* reason) { return park_for(reason, kNever); }

namespace {

// Without yield_as, whose frame would be in the saved stack of each parked task on a shared stack.
Wake park_because(Task& self, const char* reason) {
    if (reason == nullptr) [[unlikely]]
        refuse_descriptor(self);
    self.reason = reason;
    leave(self, State::waiting, until_in_trace(State::waiting, self.deadline), reason);
    self.reason = nullptr;
    return self.woken;
}

// A string on a shared stack is moved away while the task is suspended, and overwritten by another task.
[[gnu::noinline]] Wake park_with_words_kept(Task& self, const char* reason) {
    return park_because(self, std::make_unique<std::string>(reason)->c_str());
}

}  // namespace

Wake park_for(const char* reason, std::uint64_t limit) {
    Task& self = running_task();
    const std::uint64_t now = limit == kNever ? 0 : kit::now();
    self.fd = kNoDescriptor;
    self.deadline = kit::plus(now, limit);
    if (self.backend->shares_stack && self.core().stack().contains(reinterpret_cast<std::uintptr_t>(reason)))
        return park_with_words_kept(self, reason);
    return park_because(self, reason);
}

Wake park(const char* reason, kit::Lock& lock) KIT_UNCHECKED {  // the loop releases it
    Task& self = running_task();
    if (self.sched->is_shared())
        machine_here()->handed = &lock;
    else
        lock.unlock();  // no other task runs until it has yielded
    return park(reason);
}

// Checking whether a task has ended requires the lock of its scheduler. A parking task hands only its own scheduler's
// lock to its loop: otherwise two tasks that join across schedulers could deadlock.
Wake join(const Handle& handle) KIT_UNCHECKED {  // two locks, one of which is handed over
    const std::string reason = message(kToEnd, handle.name());
    Task& target = handle.task();
    Scheduler::require_own_thread(target);
    Task& self = running_task();
    kit::Lock& ours = self.sched->shared().lock();
    std::unique_lock<kit::Lock> theirs(target.sched->shared().lock(), std::defer_lock);
    for (;;) {
        std::unique_lock<kit::Lock> own(ours, std::defer_lock);
        if (target.sched == self.sched)
            own.lock();
        else
            std::lock(own, theirs);
        if (handle.done()) return Wake::event;
        if (target.joining() == nullptr) target.joining() = std::make_unique<std::vector<Handle>>();
        target.joining()->emplace_back(self);
        if (theirs.owns_lock()) theirs.unlock();
        own.release();
        if (park(reason.c_str(), ours) == Wake::event) continue;
        const kit::Guard look(target.sched->shared().lock());
        if (target.joining() != nullptr)
            std::erase_if(*target.joining(), [&](const Handle& joiner) { return &joiner.task() == &self; });
        return Wake::cancelled;
    }
}

namespace {
bool wake_with(const Handle& handle, Wake how, Cause cause) {
    if (handle.done()) return false;
    Scheduler::require_own_thread(handle.task());
    WorkerPool& sched = handle.task().sched->shared();
    const SchedulerLock held(sched);
    return sched.wake_and_tell(handle.task(), how, cause);
}
}  // namespace

bool wake(const Handle& handle) { return wake_with(handle, Wake::event, Cause::signal); }
bool cancel(const Handle& handle) { return wake_with(handle, Wake::cancelled, Cause::cancel); }

std::string why_not_running(const Task& task) {
    switch (task.status()) {
    case State::new_: return message("has not been entered yet");
    case State::ready: return message("is ready and waits for its turn");
    case State::running: return message("is running");
    case State::normal: return message("resumed another coroutine and waits for it");
    case State::suspended: return message("is suspended");
    case State::sleeping: return message("sleeps until {0}", kit::exactly(task.deadline));
    case State::waiting: {
        const std::string why = !task.waits_for_descriptor()
                                    ? message("waits for {0}", Value::of(task.reason))
                                    : message(task.want == Want::read ? mark("waits for fd {0} to be readable")
                                                                      : mark("waits for fd {0} to be writable"),
                                              task.fd);
        if (task.deadline == kNever) return why;
        return message("{0}, until {1} at most", Value::of(why), kit::exactly(task.deadline));
    }
    case State::dead: return message("has ended");
    }
    return {};
}

namespace {

constexpr kit::CodeRow kTasksCode[] = {
    {"ready", "", "4.1", "exercise/scheduler.cpp", "void Scheduler::insert_by_state("},
    {"waiting", "", "4.1", "exercise/scheduler.cpp", "void Scheduler::insert_by_state("},
    {"suspended", "", "4.1", "exercise/scheduler.cpp", "void Scheduler::insert_by_state("},
    {"dead", "", "4.1", "exercise/scheduler.cpp", "void Scheduler::insert_by_state("},
    {"sleeping", "", "4.2", "exercise/sleep_tree.cpp", "Wake sleep_for("},
    {"waiting", "fd {0} to be ", "4.3", "exercise/wait_tree.cpp", "Wake wait_for("},
    {"program", "", "4.11", "exercise/task_local.cpp", "", "", "task_local"},
};
const kit::KnownCode tasks_code("04_scheduler", kTasksCode, {.above = true});

}  // namespace

}  // namespace fiberscope::lab04
