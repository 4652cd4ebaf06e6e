#include "labs/kit/fault/cause.h"

#include "labs/kit/fault/instruction.h"
#include "labs/kit/report/abort.h"
#include "languages/say.h"

namespace fiberscope::kit {

namespace {

constexpr std::uintptr_t kNullPage = 4096;  // smaller addresses are null plus an offset in a struct

bool is_bad_access(int signal) noexcept { return signal == SIGSEGV || signal == SIGBUS; }
// A signal sent from outside may arrive in the middle of a switch.
bool from_outside(int signal) noexcept { return signal == SIGTERM || signal == SIGINT; }

/// `sentence` has the stack pointer as {0}, and a clause about it as {1}.
void tell_alignment(SignalText& text, Text sentence, const MachineState& machine) noexcept {
    text << sentence.english << "\t" << kStackPointerName << "\t" << machine.stack() % 16;
}

const char* tell_misaligned_stack(SignalText& text, const MachineState& machine) noexcept {
    tell_alignment(text, mark("misaligned stack: an instruction requires a multiple of 16, but {0} % 16 is {1}"),
                   machine);
    return "misaligned stack";
}

// A general protection fault, for which the kernel reports address 0: not a null pointer.
const char* tell_refused(SignalText& text, const MachineState& machine) noexcept {
    const Refused refused = refused_instruction(machine.code());
    if (refused == Refused::aligned && machine.stack() % 16 != 0) return tell_misaligned_stack(text, machine);
    if (refused == Refused::aligned) {
        tell_alignment(text,
                       mark("misaligned memory access: an instruction requires a multiple of 16 (the stack is aligned: "
                            "{0} % 16 is {1})"),
                       machine);
        return "misaligned memory";
    }
    tell_alignment(text,
                   refused == Refused::jump
                       ? mark("jump or return to a non-canonical address, {0} % 16 is {1}: was a pointer overwritten?")
                       : mark("access to a non-canonical address, {0} % 16 is {1}: was a pointer overwritten?"),
                   machine);
    return refused == Refused::jump ? "bad jump" : "bad address";
}

const char* tell_access(SignalText& text, const siginfo_t& info, const MachineState& machine) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
    if (info.si_code == SI_KERNEL) return tell_refused(text, machine);
    if (info.si_signo == SIGBUS && info.si_code == BUS_ADRALN && machine.stack() % 16 != 0)
        return tell_misaligned_stack(text, machine);
    if (machine.code() < kNullPage) {
        text << mark("jump to null: a function pointer or a return address was 0").english;
        return "jump to null";
    }
    if (machine.code() == address) {
        text << mark("jump to non-executable memory: was a return address or a function pointer overwritten?").english;
        return "bad jump";
    }
    if (address < kNullPage) {
        if (address > 0)
            text << mark("null pointer dereference, at offset {0}").english << "\t" << address;
        else
            text << mark("null pointer dereference").english;
        return "null pointer";
    }
    if (info.si_code == SEGV_ACCERR) {
        text << (machine.was_write() ? mark("write to protected memory") : mark("access to protected memory")).english;
        return "bad address";
    }
    text << mark("access to unmapped memory").english;
    return "bad address";
}

const char* tell_other(SignalText& text, int signal) noexcept {
    switch (signal) {
    case SIGABRT:
        text << (*abort_reason() != '\0' ? std::string_view(abort_reason())
                                         : mark("aborted (abort, or a failed assert)").english);
        return "abort";
    case SIGILL:
        text << mark("illegal instruction: control reached memory without valid code").english;
        return "illegal instruction";
    case SIGINT: text << mark("interrupted, perhaps by Ctrl-C").english; return "interrupted";
    case SIGFPE: text << mark("arithmetic error, such as a division by zero").english; return "arithmetic error";
    default: text << mark("terminated from outside, perhaps by a time limit").english; return "ended from outside";
    }
}

}  // namespace

bool on_its_stack(const MachineState& machine, const Core* current) noexcept {
    if (current == nullptr) return true;  // unknown: a plain thread
    const StackBounds stack = current->stack();
    return stack.bottom == nullptr || stack.contains(machine.stack()) || in_guard(stack, machine.stack());
}

// In decreasing order of certainty: a guard page and a given reason are certain, a stray stack pointer nearly so.
const char* tell_cause(SignalText& text, const siginfo_t& info, const MachineState& machine,
                       const Core* current) noexcept {
    const int signal = info.si_signo;
    const StackBounds stack = current != nullptr ? current->stack() : StackBounds{};
    if (is_bad_access(signal) && info.si_code != SI_KERNEL && stack.bottom != nullptr &&
        in_guard(stack, reinterpret_cast<std::uintptr_t>(info.si_addr))) {
        text << mark("stack overflow: the guard below its stack was hit").english;
        return "stack overflow";
    }
    const bool gave_reason = signal == SIGABRT && *abort_reason() != '\0';
    if (!from_outside(signal) && !gave_reason && !on_its_stack(machine, current)) {
        text << mark("the stack pointer is not in its stack: was the right one saved and loaded?").english;
        return "stray stack pointer";
    }
    return is_bad_access(signal) ? tell_access(text, info, machine) : tell_other(text, signal);
}

}  // namespace fiberscope::kit
