// The channel from a lab's process to its grader: lines that survive a crash, each written by one write(2) to the
// descriptor in FIBERSCOPE_REPORT_FD. Without that descriptor (a program run by hand) the report is printed to stderr
// as text.
//
// A line consists of fields separated by tabs. Texts are messages (languages/message.h). A tab inside a field is
// replaced by kTab, a newline by a space:
//
//     not-implemented <step> <what> <file or empty>
//     fault <signal number> <kind> <coroutine number, or -> <name> <stack bytes> <depth> <text>
//     frame <function> <file, or empty> <line>        of the fault, the innermost first
//     expected <sentence>                             of the test that crashed or was ended
//     waiting <name> <state> <descriptor, or -> <want> <fact> <reason, or empty>    of one that was ended from outside
//     failed <file> <line> <expression> <expression with values> <message>
//     left-out <why>                                  of a test that cannot be run here
//     done <nonce> <assertions that passed> <assertions that failed>
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "languages/say.h"

namespace fiberscope::kit {

/// The exit status of a process that reached a function which the student has not written yet.
inline constexpr int kNotImplementedStatus = 77;
/// The exit status of a test that the system does not support.
inline constexpr int kLeftOutStatus = 78;

/// Prefix of a note in a test's trace about a failed assertion.
inline constexpr std::string_view kFailedNote = "failed: ";

/// Separates the assertion's own text from the notes in effect, nearest first, in the message of a line "failed".
inline constexpr char kBetweenNotes = '\x1f';

/// Separates the task of a stub from the previous exception, in a line "not-implemented".
inline constexpr Text kWhatItThrew = mark("{0}; what it threw: {1}");

/// Replaces a tab within a field.
inline constexpr char kTab = '\x1e';

/// Prints a message for the user to stderr, as a separate line: in English, or by the function set below.
/// Async-signal-safe.
void tell_person(std::string_view message) noexcept;
/// Installs `print`, which must be async-signal-safe, in its place.
void set_person_teller(void (*print)(std::string_view message) noexcept) noexcept;

/// The data of a fault. The strings are NUL-terminated and outlive the call; none is null.
struct FaultReport {
    int signal = 0;
    const char* kind = "";        ///< in words: "stack overflow", "null pointer", "time limit"
    std::int64_t coroutine = -1;  ///< its number in the trace; -1 for the thread itself
    const char* name = "";
    std::size_t stack_size = 0;  ///< bytes; 0 if not known
    unsigned depth = 0;          ///< coroutines that wait for this one, including the thread
    const char* text = "";       ///< the full description in one sentence, a message
};

/// Redirects the report to `fd`; for a child that a test forks.
void set_report_descriptor(int fd) noexcept;

/// Reports that `step` ("1.3") of the lab is not written yet and exits immediately with status 77, after the exit hook.
/// Callable inside a coroutine. `what` names the function and its task; `file` is the one to edit.
[[noreturn]] void not_implemented(const char* step, const char* what, const char* file = __builtin_FILE()) noexcept;

/// Called once before not_implemented exits, so that the trace is written; must be async-signal-safe, may be null.
void set_exit_hook(void (*hook)(const char* text) noexcept) noexcept;

/// Async-signal-safe. No-op without a report descriptor.
void report_fault(const FaultReport& fault) noexcept;

/// A frame of the call stack at a fault. Async-signal-safe. No-op without a report descriptor.
void report_frame(std::string_view function, std::string_view file, std::uint64_t line) noexcept;

/// The expectation of a test that crashes or hangs. Async-signal-safe. No-op without a report descriptor.
void report_expected(std::string_view sentence) noexcept;

/// A task that has not ended when a test hangs. The strings except the name are NUL-terminated; none is null.
struct WaitingReport {
    std::string_view name = {};
    std::string_view state = {};   ///< a trace's word for it: "waiting"
    int fd = -1;                   ///< the descriptor that it waits for, or -1
    std::string_view want = {};    ///< "read" or "write"
    std::string_view reason = {};  ///< a message (languages/message.h)
    std::string_view fact =
        {};  ///< current state of the descriptor: "ready", "gone" (its peer), "closed", "quiet"; empty if unknown
};
/// Async-signal-safe. No-op without a report descriptor.
void report_waiting(const WaitingReport& waiting) noexcept;

/// A failed assertion. No-op without a report descriptor.
void report_failed(std::string_view file, std::size_t line, std::string_view expression, std::string_view values,
                   std::string_view message);

/// The test was skipped, neither passed nor failed. No-op without a report descriptor.
void report_left_out(std::string_view why) noexcept;

/// The test ran to its end; only valid with the nonce from the grader. No-op without a descriptor.
void report_done(std::string_view nonce, std::size_t passed, std::size_t failed) noexcept;

}  // namespace fiberscope::kit

extern "C" {
/// The same for assembly: `text` is the step, a space and the task ("1.2 _switch(next, current)").
[[noreturn]] void fiberscope_not_implemented(const char* text) noexcept;

/// The lab that this program belongs to ("01_switch_asm"); defined by fiberscope_lab() in every program of a lab.
extern const char fiberscope_lab_name[];
/// The set of files it was built from: "exercise" or "solution"; likewise.
extern const char fiberscope_lab_files[];
}
