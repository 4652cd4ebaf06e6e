// What the tests of this lab share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "labs/kit/errors.h"
#include "labs/kit/sanitizer.h"
#include "labs/kit/testing/child.h"
#include "testing/catch.h"
#include "traces/checker.h"
#include "traces/reader.h"

namespace fiberscope::lab03 {

/// A new T that lives until the process ends: before its step is solved it cannot be taken down.
template <class T, class... Arguments>
T& made_for_ever(Arguments&&... arguments) {
    static auto& kept = *new std::vector<std::unique_ptr<T>>;
    kept.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
    return *kept.back();
}

/// What `act` throws as a Misuse; no value if it throws none.
template <class F>
std::optional<kit::Misuse> misuse_of(F act) {
    try {
        act();
    } catch (const kit::Misuse& misuse) {
        return misuse;
    }
    return std::nullopt;
}

/// A trace, and what is wrong with it or with the program that wrote it; empty: nothing.
struct Recorded {
    trace::Trace trace;
    std::string fault;
};

/// Runs `body` in a child process that records, and judges the trace by its rules.
inline Recorded record(const char* name, const std::function<void()>& body) {
    const auto file =
        std::filesystem::temp_directory_path() / ("fiberscope-" + std::to_string(getpid()) + "-" + name + ".json");
    const kit::ChildEnd end = kit::run_in_child(file, body);
    Recorded recorded{trace::read(file), {}};
    std::filesystem::remove(file);
    if (end.signal != 0 || end.status != 0)
        recorded.fault = "the program ended by signal " + std::to_string(end.signal) + ", status " +
                         std::to_string(end.status) + ": " + end.report + end.errors;
    else if (const auto broken = trace::check(recorded.trace))
        recorded.fault = broken->why;
    return recorded;
}

/// What happened on shared stacks, in short words, one for each event: "start b", "out a", "own b", "own -", "in a",
/// "yield a", "exit a"; a switch is named by the coroutine that it starts, resumes or leaves.
inline std::vector<std::string> moves_of(const trace::Trace& trace) {
    std::vector<std::string> moves;
    for (std::size_t i = 0; i < trace.size(); ++i) {
        const auto& e = trace[i];
        const auto name = [&](std::uint32_t co) { return co == trace::kNone ? "-" : std::string(trace.name(co)); };
        if (e.kind == trace::Kind::own) moves.push_back("own " + name(e.co));
        if (e.kind == trace::Kind::copy)
            moves.push_back(std::string(word(e.first<trace::Direction>())) + " " + name(e.co));
        if (e.kind != trace::Kind::switch_) continue;
        const auto why = e.first<trace::Why>();
        const bool entered = why == trace::Why::start || why == trace::Why::resume;
        moves.push_back(std::string(word(why)) + " " + name(entered ? e.other : e.co));
    }
    return moves;
}

inline std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
    return text;
}

/// Calls `act` with about `bytes` of stack in use below the caller; true if those bytes were as before when it came back.
template <class F>
[[gnu::noinline]] bool with_depth(std::size_t bytes, F act) {
    constexpr std::size_t kPiece = 256;
    volatile unsigned char piece[kPiece];
    const auto value = static_cast<unsigned char>(bytes / kPiece * 7 + 3);
    for (auto& each : piece) each = value;
    bool intact = true;
    if (bytes > kPiece)
        intact = with_depth(bytes - kPiece, act);
    else
        act();
    for (auto& each : piece) intact = intact && each == value;
    return intact;
}

}  // namespace fiberscope::lab03
