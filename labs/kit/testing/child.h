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
    int signal = 0;      ///< that ended it; 0 if it exited
    int status = 0;      ///< exit status, if it exited
    std::string report;  ///< the lines that it sent over the report channel
    std::string errors;  ///< what it wrote on stderr
};

/// A message: "ended by signal 11: SIGSEGV in coroutine 1 'a' …: a null pointer was used; in f, labs/…/a.cpp:12;
/// called by …".
std::string in_words(const ChildEnd& end);

/// Of a recording, in bytes. A test that loops while it records would fill the disk, and no test looks at so
/// many events.
inline constexpr std::uint64_t kMostRecorded = 64 << 20;

/// Runs `body` in a child that records into `trace`, kMostRecorded at most, and handles faults as a test process does.
/// The caller must not have made a coroutine yet.
ChildEnd run_in_child(const std::filesystem::path& trace, const std::function<void()>& body);

struct ChildAnswer {
    std::optional<std::string> text;  ///< nothing if the child crashed or did not end
    bool not_implemented = false;     ///< it came to a function that is not written yet
    bool hung = false;                ///< it did not end within its time

    bool is(std::string_view expected) const noexcept { return text && *text == expected; }
};

/// What `body` returns in a child that records, reports and prints nothing, and may use so much processor time.
ChildAnswer answer_of_child(const std::function<std::string()>& body,
                            std::chrono::milliseconds processor = std::chrono::seconds(1));

/// Whether that answer is `expected`. A function that is not written yet ends the test as it does elsewhere.
bool answered_by_child(const std::function<std::string()>& body, std::string_view expected,
                       std::chrono::milliseconds processor = std::chrono::seconds(1));

/// The processor time that this process and the children that it has waited for have used, in seconds.
double processor_seconds() noexcept;

}  // namespace fiberscope::kit
