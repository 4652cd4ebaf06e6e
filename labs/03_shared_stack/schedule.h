// Step 3.3: cloudwu's coroutine library, with its words: a schedule owns one stack and all coroutines, names them by
// number, and copies at every switch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "labs/03_shared_stack/switch_to.h"

namespace fiberscope::lab03 {

/// The values are those of COROUTINE_DEAD, COROUTINE_READY, COROUTINE_RUNNING, COROUTINE_SUSPEND. The trace says `new`
/// for READY and `suspended` for SUSPEND.
enum class Status : std::uint8_t { DEAD, READY, RUNNING, SUSPEND };
std::string_view word(Status status) noexcept;

class Schedule {
  public:
    using Function = std::function<void(Schedule&)>;
    static constexpr std::size_t kStackSize = std::size_t{1024} * 1024;  // as STACK_SIZE
    static constexpr std::size_t kFirstCapacity = 16;                    // as DEFAULT_COROUTINE

    /// As coroutine_open. Belongs to the thread that makes it. Throws std::invalid_argument for an unknown backend.
    explicit Schedule(std::string_view backend = "ucontext", std::size_t stack_size = kStackSize);
    /// As coroutine_close; but the stacks of suspended coroutines are unwound first. Not from inside a coroutine.
    ~Schedule();
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    /// A new coroutine, READY; returns its number. As coroutine_new. `name` may be empty: then "coroutine ID".
    int create(Function function, std::string name = {});
    /// Step 3.3. Runs it until it yields or ends; rethrows what its function let escape. An ended one is gone: its
    /// number may be given out again. Throws std::out_of_range if none with that number lives here, Misuse
    /// child_resumes from inside a coroutine, bound_to_thread on another thread. As coroutine_resume, which asserts
    /// instead.
    void resume(int id);
    /// Step 3.3. Back to the main context. Throws Misuse yield_outside if no coroutine of this schedule runs,
    /// stack_too_deep if control is not on the stack (require_can_yield). A coroutine of a schedule yields by this and
    /// by nothing else. As coroutine_yield.
    void yield();
    /// Step 3.3. DEAD for a number that none has; RUNNING also while it waits for a coroutine that it has resumed. As
    /// coroutine_status.
    Status status(int id) const;
    /// The number of the one that runs; -1 if none does. As coroutine_running.
    int running() const noexcept { return running_; }

    std::size_t capacity() const noexcept { return slots_.size(); }  ///< as cap
    std::size_t alive() const noexcept { return alive_; }            ///< as nco
    const SharedStack& stack() const noexcept { return stack_; }
    /// The image of one that lives; throws std::out_of_range otherwise.
    const Image& image(int id) const;

  private:
    struct Member;
    struct Slot {
        std::unique_ptr<Member> member;
        std::uint32_t last = trace::kNone;  ///< the number, in the trace, of the last one that lived here
    };

    static void entry(void* member);  // given: the entry of every coroutine: run, then finish

    std::size_t free_slot();       // 3.3: where the next coroutine lives; doubles the slots when all are taken
    void finish(Member& member);   // 3.3: the way out for the last time
    Member& living(int id) const;  // given: throws std::out_of_range
    void bury(int id);             // given: after the end: the slot is free; rethrows
    void ask_to_end(int id);       // given: of a schedule that is closed; one that has not begun is gone at once
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
