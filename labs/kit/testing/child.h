// Runs a function in a child process, for behaviour that ends a process: a guard page hit, an abort.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fiberscope::kit {

struct ChildEnd {
    int signal = 0;      ///< signal that ended it; 0 if it exited
    int status = 0;      ///< exit status, if it exited
    std::string report;  ///< the lines that it sent over the report channel
    std::string errors;  ///< its output on stderr
};

/// A message: "ended by signal 11: SIGSEGV in coroutine 1 'a' …: null pointer dereference; in f, labs/…/a.cpp:12;
/// called by …".
std::string in_words(const ChildEnd& end);

/// Limit of a recording, bytes. A test that loops while recording would otherwise fill the disk.
inline constexpr std::uint64_t kMostRecorded = 64 << 20;

/// Runs `body` in a child process that records into `trace`, at most kMostRecorded bytes, and handles faults like a
/// test process. The caller must not have created a coroutine yet.
ChildEnd run_in_child(const std::filesystem::path& trace, const std::function<void()>& body);

struct ChildAnswer {
    std::optional<std::string> text;  ///< no value if the child crashed or did not end
    bool not_implemented = false;     ///< it called a function that is not implemented yet
    bool hung = false;                ///< it did not end within its time

    bool is(std::string_view expected) const noexcept { return text && *text == expected; }
};

/// Returns the result of `body` in a child process that records, reports and prints nothing, within a limit of
/// processor time.
ChildAnswer answer_of_child(const std::function<std::string()>& body,
                            std::chrono::milliseconds processor = std::chrono::seconds(1));

/// Returns whether that answer is `expected`. A function that is not implemented yet ends the test as usual.
bool answered_by_child(const std::function<std::string()>& body, std::string_view expected,
                       std::chrono::milliseconds processor = std::chrono::seconds(1));

/// The processor time that this process and the children that it has waited for have used, in seconds.
double processor_seconds() noexcept;

}  // namespace fiberscope::kit
