// Step 3.3: cloudwu's coroutine library, in its own terms: a schedule owns one stack and all coroutines, identifies
// them by number, and copies at every switch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "labs/03_shared_stack/switch_to.h"

namespace fiberscope::lab03 {

/// The values are those of COROUTINE_DEAD, COROUTINE_READY, COROUTINE_RUNNING, COROUTINE_SUSPEND. In a trace READY is
/// `new` and SUSPEND is `suspended`.
enum class Status : std::uint8_t { DEAD, READY, RUNNING, SUSPEND };
std::string_view word(Status status) noexcept;

class Schedule {
  public:
    using Function = std::function<void(Schedule&)>;
    static constexpr std::size_t kStackSize = std::size_t{1024} * 1024;  // as STACK_SIZE
    static constexpr std::size_t kFirstCapacity = 16;                    // as DEFAULT_COROUTINE

    /// As coroutine_open. Belongs to the thread that creates it. Throws std::invalid_argument for an unknown backend.
    explicit Schedule(std::string_view backend = "ucontext", std::size_t stack_size = kStackSize);
    /// As coroutine_close, but unwinds the stacks of suspended coroutines first. Must not be called from inside a
    /// coroutine.
    ~Schedule();
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    /// Creates a READY coroutine and returns its number. An empty `name` means "coroutine ID". As coroutine_new.
    int create(Function function, std::string name = {});
    /// Step 3.3. Runs a coroutine until it yields or ends; rethrows the exception that escaped its function. The number
    /// of an ended coroutine may be reused. Throws std::out_of_range if no coroutine has that number, Misuse
    /// child_resumes from inside a coroutine, bound_to_thread on another thread. As coroutine_resume, which asserts
    /// instead.
    void resume(int id);
    /// Step 3.3. Switches back to the main context. Throws Misuse yield_outside if no coroutine of this schedule is
    /// running, stack_too_deep if control is not on the stack (require_can_yield). The only way to yield in a coroutine
    /// of a schedule. As coroutine_yield.
    void yield();
    /// Step 3.3. Returns DEAD if no coroutine has the number, and RUNNING also while a coroutine waits for another that
    /// it has resumed. As coroutine_status.
    Status status(int id) const;
    /// The number of the running coroutine, or -1. As coroutine_running.
    int running() const noexcept { return running_; }

    std::size_t capacity() const noexcept { return slots_.size(); }  ///< as cap
    std::size_t alive() const noexcept { return alive_; }            ///< as nco
    const SharedStack& stack() const noexcept { return stack_; }
    /// Returns the image of a living coroutine; throws std::out_of_range for any other number.
    const Image& image(int id) const;

  private:
    struct Member;
    struct Slot {
        std::unique_ptr<Member> member;
        std::uint32_t last = trace::kNone;  ///< the ID, in the trace, of the last coroutine in this slot
    };

    static void entry(void* member);  // given: the entry of every coroutine; calls run, then finish

    std::size_t free_slot();       // 3.3: the slot of the next coroutine; doubles the slots if all are taken
    void finish(Member& member);   // 3.3: leaves for good
    Member& living(int id) const;  // given: throws std::out_of_range
    void bury(int id);             // given: frees the slot after the end; rethrows
    void ask_to_end(int id);       // given: when the schedule is closed; removes a new one at once
    void require_main(const Member& member) const;  // given: throws Misuse bound_to_thread or child_resumes

    const ContextBackend& backend_;
    SharedStack stack_;
    std::vector<Slot> slots_;
    std::size_t alive_ = 0;
    int running_ = -1;
};

struct Schedule::Member : SharedStackCoroutine {
    Member(Schedule& owner, Function function, std::string name, std::uint32_t reuses);

    Schedule& schedule;
};

}  // namespace fiberscope::lab03
