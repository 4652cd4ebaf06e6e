// Given: the connection between `_switch` and the kit. Everything that has a Context is a ContextOwner, including the
// thread's own context, and `switch_to` switches from one to another, checked and recorded.
#pragma once

#include <array>
#include <string_view>

#include "labs/01_switch_asm/context.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/run/transfer.h"

namespace fiberscope::lab01 {

class ContextOwner : public kit::Owner<Context> {
  protected:
    ContextOwner(kit::Stack&& stack, std::string&& name, bool keeps_float, trace::CoKind kind = trace::CoKind::task)
        : Owner(kind, trace::Backend::asm_, std::move(stack), std::move(name)) {
        if (keeps_float) keep_float();
    }
};

/// A context with its own stack but no coroutine, for raw symmetric switches.
class RawContext : public ContextOwner {
  public:
    /// `entry` must not return; it ends with a switch.
    RawContext(std::string name, Entry entry, void* argument, std::size_t stack_size = kit::kDefaultStackSize);

  private:
    static void run_entry(void* self);

    Entry entry_;
    void* argument_;
};

/// The context of a coroutine, or of the thread itself.
inline Context& context_of(kit::Core& core) noexcept { return kit::registers_of<Context>(core); }

extern "C" {
using Observe = void (*)(const void* observer, const Context* saved, const Context* loaded);

/// Given (recorded_switch_*.S): passes to `observe` the registers exactly as `function` will save and load them, then
/// jumps to `function`. Only jumps if `observe` is null.
void fiberscope_recorded_switch(Context* next, Context* current, SwitchFunction function, Observe observe,
                                const void* observer);

/// Given (switch_with_registers_*.S): loads `values` into the registers of kKeptRegisters, switches through
/// fiberscope_recorded_switch, and stores these registers in `values` when control returns.
void fiberscope_switch_with_registers(std::uint64_t* values, Context* next, Context* current, SwitchFunction function,
                                      Observe observe, const void* observer);

/// Given (forgetful_switch_*.S), for the demo: a `_switch` that forgets to save the first of kKeptRegisters.
void fiberscope_forgetful_switch(Context* next, Context* current);
}

/// The callee-saved registers other than the stack pointer.
#if defined(__x86_64__)
inline constexpr std::array kKeptRegisters =
    std::to_array<std::string_view>({"rbx", "rbp", "r12", "r13", "r14", "r15"});
#else
inline constexpr std::array kKeptRegisters =
    std::to_array<std::string_view>({"x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "d8",
                                     "d9", "d10", "d11", "d12", "d13", "d14", "d15"});
#endif
using KeptRegisters = std::array<std::uint64_t, kKeptRegisters.size()>;

/// An Observe: `observer` is a kit::SwitchRecorder.
void record_registers(const void* observer, const Context* saved, const Context* loaded);

/// The backend's jump, in the form that kit::transfer expects.
struct SwitchJump {
    Context* next;
    Context* current;
    bool with_float;

    SwitchJump(kit::Core& from, kit::Core& to) noexcept
        : next(&context_of(to)), current(&context_of(from)), with_float(from.keeps_float() || to.keeps_float()) {}

    void operator()() const {
        if (with_float) [[unlikely]]
            _switch_float(next, current);
        else
            _switch(next, current);
    }
    void recorded(const kit::SwitchRecorder& recorder) const {
        fiberscope_recorded_switch(next, current, with_float ? &_switch_float : &_switch, &record_registers, &recorder);
    }
};

/// A jump with known `values` in the kept registers; stores their contents in `values` when control returns.
struct JumpWithRegisters {
    Context* next;
    Context* current;
    SwitchFunction function;
    KeptRegisters& values;

    void operator()() const {
        fiberscope_switch_with_registers(values.data(), next, current, function, nullptr, nullptr);
    }
    void recorded(const kit::SwitchRecorder& recorder) const {
        fiberscope_switch_with_registers(values.data(), next, current, function, &record_registers, &recorder);
    }
};

/// Switches from `from`, the running context, to `to`. See kit::transfer.
[[gnu::always_inline]] inline void switch_to(kit::Core& from, kit::Core& to, const kit::Step& step) {
    kit::transfer(from, to, step, [](kit::Core& f, kit::Core& t) { return SwitchJump(f, t); });
}

/// As switch_to, by `function` and with known `values` in the kept registers; stores their contents in `values` when
/// control returns.
inline void switch_with_registers(kit::Core& from, kit::Core& to, const kit::Step& step, SwitchFunction function,
                                  KeptRegisters& values) {
    kit::transfer(from, to, step, [&](kit::Core& f, kit::Core& t) {
        return JumpWithRegisters{&context_of(t), &context_of(f), function, values};
    });
}

}  // namespace fiberscope::lab01
