// The channel by which a lab's process tells its grader what happened, in lines that survive a crash: every line is
// one write(2) to the descriptor in FIBERSCOPE_REPORT_FD. Without that descriptor (a program run by hand) the same is
// said on stderr in words.
//
// A line is fields separated by tabs. What is in words is a message (languages/message.h). A tab inside a field becomes
// kTab, a newline a space:
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

/// The exit status of a process that came to a function which the student has not written yet.
inline constexpr int kNotImplementedStatus = 77;
/// That of a test which the system refuses to run.
inline constexpr int kLeftOutStatus = 78;

/// A note that begins so says, in the trace of a test, that an assertion failed there.
inline constexpr std::string_view kFailedNote = "failed: ";

/// Between what an assertion itself says and the notes that hold there, the nearest first, in the message of a line
/// "failed".
inline constexpr char kBetweenNotes = '\x1f';

/// What a stub shall do, and what was thrown before: of a line "not-implemented".
inline constexpr Text kWhatItThrew = mark("{0}; what it threw: {1}");

/// In the place of a tab of a field.
inline constexpr char kTab = '\x1e';

/// Prints a message for the person at the terminal to stderr, as a line of its own: in English, or by `print` from the
/// next function. Async-signal-safe.
void tell_person(std::string_view message) noexcept;
/// From now on `print`, which must be async-signal-safe, is called instead.
void set_person_teller(void (*print)(std::string_view message) noexcept) noexcept;

/// What a fault handler knows at a signal. The strings end with NUL and outlive the call; none is null.
struct FaultReport {
    int signal = 0;
    const char* kind = "";        ///< in words: "stack overflow", "null pointer", "time limit"
    std::int64_t coroutine = -1;  ///< its number in the trace; -1 if there is no coroutine but the thread
    const char* name = "";
    std::size_t stack_size = 0;  ///< bytes; 0 if not known
    unsigned depth = 0;          ///< coroutines that wait for this one, the thread counted
    const char* text = "";       ///< the whole story in one sentence, a message
};

/// From now on the report goes to `fd` instead; for a child that a test forks.
void set_report_descriptor(int fd) noexcept;

/// Says that `step` ("1.3") of the lab is not written yet and leaves the process at once with status 77, after the exit
/// hook. Works inside a coroutine. `what` names the function and what it must do; `file` is the one to edit.
[[noreturn]] void not_implemented(const char* step, const char* what, const char* file = __builtin_FILE()) noexcept;

/// Called once before not_implemented leaves, so that the trace is written; must be async-signal-safe, and may be null.
void set_exit_hook(void (*hook)(const char* text) noexcept) noexcept;

/// Async-signal-safe. Does nothing without a report descriptor.
void report_fault(const FaultReport& fault) noexcept;

/// A function that the program was in at a fault. Async-signal-safe. Does nothing without a report descriptor.
void report_frame(std::string_view function, std::string_view file, std::uint64_t line) noexcept;

/// What a test that crashes or hangs expects. Async-signal-safe. Does nothing without a report descriptor.
void report_expected(std::string_view sentence) noexcept;

/// A task that has not ended when a test hangs. The strings end with NUL, but for the name; none is null.
struct WaitingReport {
    std::string_view name = {};
    std::string_view state = {};   ///< the word of a trace: "waiting"
    int fd = -1;                   ///< the descriptor that it waits for; -1: none
    std::string_view want = {};    ///< "read" or "write"
    std::string_view reason = {};  ///< a message (languages/message.h)
    std::string_view fact =
        {};  ///< of the descriptor now: "ready", "gone" (its peer), "closed", "quiet"; empty: not known
};
/// Async-signal-safe. Does nothing without a report descriptor.
void report_waiting(const WaitingReport& waiting) noexcept;

/// An assertion that failed. Does nothing without a report descriptor.
void report_failed(std::string_view file, std::size_t line, std::string_view expression, std::string_view values,
                   std::string_view message);

/// The test was left out, neither passed nor failed. Does nothing without a report descriptor.
void report_left_out(std::string_view why) noexcept;

/// The test ran to its end; only with the nonce that the grader gave does it count. Does nothing without a descriptor.
void report_done(std::string_view nonce, std::size_t passed, std::size_t failed) noexcept;

}  // namespace fiberscope::kit

extern "C" {
/// The same for assembly: `text` is the step, a space and what must be done ("1.2 _switch(next, current)").
[[noreturn]] void fiberscope_not_implemented(const char* text) noexcept;

/// The lab that this program belongs to ("01_switch_asm"); defined by fiberscope_lab() in every program of a lab.
extern const char fiberscope_lab_name[];
/// Which of its files: "exercise" or "solution"; likewise.
extern const char fiberscope_lab_files[];
}
