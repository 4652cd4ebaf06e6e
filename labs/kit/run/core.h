// The base of every context: a coroutine of any lab, or a thread's original context. Its state is changed by a switch
// (transfer.h), which changes two contexts at once, or by `set_state`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/memory/stack.h"
#include "labs/kit/run/state.h"
#include "traces/record/recorder.h"
#include "traces/schema/schema.h"

namespace fiberscope::kit {

/// A thread's exception state, in the layout of __cxa_get_globals. It belongs to a stack and is swapped with it, so
/// that a coroutine may yield inside a `catch`.
struct ExceptionState {
    void* caught = nullptr;
    unsigned uncaught = 0;

    bool any() const noexcept { return (reinterpret_cast<std::uintptr_t>(caught) | uncaught) != 0; }
};

struct ThreadState;

class Core : public Status {
  public:
    /// Records it as spawned by the current coroutine. An empty `name` means "coroutine ID". `reuses` is the number of
    /// the dead coroutine whose memory it uses, if any, for the trace.
    Core(trace::CoKind kind, trace::Backend backend, Stack&& stack, std::string&& name,
         std::uint32_t reuses = trace::kNone);
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    /// Gives it floating-point control registers of its own (lab 01, step 1.6).
    void keep_float() noexcept { status_ |= kKeepsFloat; }

    /// In this state, without floating-point registers of its own and without an exception: the usual case of a switch.
    bool is_plainly(State state) const noexcept { return status_ == static_cast<std::uint32_t>(state); }
    /// Unique in the process. Assigned on first use, or when its spawn is recorded.
    std::uint32_t id() const noexcept;
    /// At most one context has a number: no coroutine has been created yet while a trace was recorded.
    static bool is_alone() noexcept;
    std::string name() const;
    /// The given name, possibly empty; for the fault handler, which must not allocate.
    std::string_view given_name() const noexcept {
        return cold_state_ == nullptr ? std::string_view() : std::string_view(cold_state_->name);
    }
    trace::CoKind kind() const noexcept { return kind_; }
    /// The location of its stack, also after release.
    StackBounds stack() const noexcept { return stack_.bounds(); }
    /// Whether it has floating-point control registers of its own (lab 01, step 1.6).
    bool keeps_float() const noexcept { return (status_ & kKeepsFloat) != 0; }
    /// Releases the stack, once the coroutine is dead and control has left it; no-op for a borrowed stack.
    void release_stack() noexcept;
    /// Passes the stack of a dead coroutine on to the next one, which is recorded as reusing it.
    Stack take_stack() noexcept { return std::move(stack_).for_reuse(); }

    friend void set_state(Core& core, State to, trace::Cause cause, std::string_view error);

  private:
    friend ThreadState& attach_thread();
    friend void declare_thread();
    friend struct Transfer;
    friend class CallerStack;

    void refuse_to_release_under_foot() const noexcept;
    void record_spawn(std::uint32_t reuses = trace::kNone);
    void put_state(State state) noexcept { status_ = (status_ & ~kStateBits) | static_cast<std::uint32_t>(state); }

    // Bits of the status, above those of the state.
    static constexpr std::uint32_t kKeepsFloat = 0x100;
    static constexpr std::uint32_t kHoldsException = 0x200;  // cold_state_->exceptions is not empty

    // Rarely used members, allocated on first use to keep idle coroutines small.
    struct ColdState {
        std::string name;
        ExceptionState exceptions;  // while it does not run
        trace::CausalStamp touch;
    };
    ColdState& cold_state() noexcept { return cold_state_ != nullptr ? *cold_state_ : make_cold_state(); }
    ColdState& make_cold_state() noexcept;

    // Hot fields, kept on one cache line.
    trace::CoKind kind_;
    trace::Backend backend_;
    bool started_ = false;  // whether it was entered; maintained only while switches are observed
    mutable std::uint32_t id_ = trace::kNone;
    Core* caller_ = nullptr;
    std::unique_ptr<ColdState> cold_state_;
    Stack stack_;
    [[no_unique_address]] SanitizerFiber sanitizer_;
};

/// Whether any coroutine was created yet in this process, not counting threads.
bool any_coroutine_yet() noexcept;

/// A Core with the registers that a backend saves, at a fixed offset: saves a load in every switch compared with a
/// pointer.
template <class Registers>
class Owner : public Core {
  public:
    alignas(16) Registers registers{};

  protected:
    using Core::Core;
};

/// A thread's original context, with zero-initialized memory for the registers of any backend. The largest is a
/// ucontext_t, with 968 bytes on x86_64 and 4,560 on aarch64.
class ThreadOwner : public Owner<std::byte[8192]> {
  public:
    using Owner::Owner;
};

/// The saved registers of a coroutine of the backend whose registers are `Registers`, or of a thread.
template <class Registers>
inline Registers& registers_of(Core& core) noexcept {
    // At the offset that Owner<Registers> has them.
    return static_cast<Owner<Registers>&>(core).registers;
}

}  // namespace fiberscope::kit
