// What the kit knows of anything that can run: a coroutine of any lab, or the context that a thread was born with.
// Its state changes by a switch (transfer.h), which moves two at once, or by `set_state`.
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

/// A thread's exception state, as __cxa_get_globals lays it out. It belongs to a stack: it is swapped with it, so that
/// a coroutine may yield inside a `catch`.
struct ExceptionState {
    void* caught = nullptr;
    unsigned uncaught = 0;

    bool any() const noexcept { return (reinterpret_cast<std::uintptr_t>(caught) | uncaught) != 0; }
};

struct ThreadState;

class Core : public Status {
  public:
    /// Exists from here on: recorded as spawned by the one that runs now. `name` may be empty: then "coroutine ID".
    /// `reuses` is the number of the dead one in whose memory it lives, if any: a trace says so.
    Core(trace::CoKind kind, trace::Backend backend, Stack&& stack, std::string&& name,
         std::uint32_t reuses = trace::kNone);
    ~Core();
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    /// From now on its floating-point control registers are its own (lab 01, step 1.6).
    void keep_float() noexcept { status_ |= kKeepsFloat; }

    /// In this state, with no floating-point registers of its own and no exception: the usual case of a switch.
    bool is_plainly(State state) const noexcept { return status_ == static_cast<std::uint32_t>(state); }
    /// Never used twice in a process. Given out when first asked for, or when a trace records the spawn.
    std::uint32_t id() const noexcept;
    /// At most one context has a number: while a trace is recorded, no coroutine has been made yet.
    static bool is_alone() noexcept;
    std::string name() const;
    /// The name as it was given, perhaps empty; for the fault handler, which must not allocate.
    std::string_view given_name() const noexcept {
        return cold_state_ == nullptr ? std::string_view() : std::string_view(cold_state_->name);
    }
    trace::CoKind kind() const noexcept { return kind_; }
    /// Where its stack lies, or lay.
    StackBounds stack() const noexcept { return stack_.bounds(); }
    /// Whether its floating-point control registers are its own (lab 01, step 1.6).
    bool keeps_float() const noexcept { return (status_ & kKeepsFloat) != 0; }
    /// Gives the stack back, once the coroutine is dead and control has left it; a stack only borrowed is left alone.
    void release_stack() noexcept;
    /// Hands the stack of a dead coroutine on to the next one, which is then said to reuse it.
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

    // Bits of the status, behind those of the state.
    static constexpr std::uint32_t kKeepsFloat = 0x100;
    static constexpr std::uint32_t kHoldsException = 0x200;  // cold_state_->exceptions is not empty

    // What most coroutines never need: made when it is first asked for, which keeps idle coroutines small.
    struct ColdState {
        std::string name;
        ExceptionState exceptions;  // while it does not run
        trace::CausalStamp touch;
    };
    ColdState& cold_state() noexcept { return cold_state_ != nullptr ? *cold_state_ : make_cold_state(); }
    ColdState& make_cold_state() noexcept;

    // What every switch touches stands together.
    trace::CoKind kind_;
    trace::Backend backend_;
    bool started_ = false;  // has been entered; kept only while switches are observed
    mutable std::uint32_t id_ = trace::kNone;
    Core* caller_ = nullptr;
    std::unique_ptr<ColdState> cold_state_;
    Stack stack_;
    [[no_unique_address]] SanitizerFiber sanitizer_;
};

/// Whether any coroutine was made yet in this process, threads not counted.
bool any_coroutine_yet() noexcept;

/// A Core with the registers that a backend saves, always at the same place behind it: one load less in every switch
/// than through a pointer.
template <class Registers>
class Owner : public Core {
  public:
    alignas(16) Registers registers{};

  protected:
    using Core::Core;
};

/// A thread's own context: its registers are memory for those of any backend, zeroed at first. The largest is a
/// ucontext_t, with 968 bytes on x86_64 and 4,560 on aarch64.
class ThreadOwner : public Owner<std::byte[8192]> {
  public:
    using Owner::Owner;
};

/// The saved registers of a coroutine of the backend whose registers are `Registers`, or of a thread.
template <class Registers>
inline Registers& registers_of(Core& core) noexcept {
    // A thread's bytes lie where those of an Owner<Registers> would.
    return static_cast<Owner<Registers>&>(core).registers;
}

}  // namespace fiberscope::kit
