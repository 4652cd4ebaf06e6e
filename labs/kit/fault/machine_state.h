// Access to the processor state that a signal interrupted.
#pragma once

#include <cstdint>

#include <ucontext.h>

namespace fiberscope::kit {

/// The registers of the interrupted program; `context` is the third argument of a signal handler.
class MachineState {
  public:
    explicit MachineState(void* context) noexcept : machine_(&static_cast<ucontext_t*>(context)->uc_mcontext) {}

#if defined(__x86_64__)
    std::uintptr_t code() const noexcept { return static_cast<std::uintptr_t>(machine_->gregs[REG_RIP]); }
    std::uintptr_t stack() const noexcept { return static_cast<std::uintptr_t>(machine_->gregs[REG_RSP]); }
    /// Only valid for a page fault.
    bool was_write() const noexcept { return (machine_->gregs[REG_ERR] & 2) != 0; }
    /// Simulates a return from the innermost function before its prologue. The stack must be readable.
    void return_to_caller() noexcept {
        machine_->gregs[REG_RIP] = *reinterpret_cast<const greg_t*>(stack());
        machine_->gregs[REG_RSP] += 8;
    }
#elif defined(__aarch64__)
    std::uintptr_t code() const noexcept { return machine_->pc; }
    std::uintptr_t stack() const noexcept { return machine_->sp; }
    bool was_write() const noexcept { return false; }  // not reported
    void return_to_caller() noexcept { machine_->pc = machine_->regs[30]; }
#endif

  private:
    mcontext_t* machine_;
};

#if defined(__x86_64__)
inline constexpr const char* kStackPointerName = "rsp";
#else
inline constexpr const char* kStackPointerName = "sp";
#endif

}  // namespace fiberscope::kit
