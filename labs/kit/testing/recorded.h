// For tests of traces: runs a function in a separate process and checks its recording.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <unistd.h>

#include "labs/kit/report/notes.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/testing/child.h"
#include "testing/catch.h"
#include "traces/check/checker.h"
#include "traces/read/reader.h"

namespace fiberscope::kit::testing {

/// Returns the Misuse thrown by `act`; no value if it throws none.
template <class F>
std::optional<Misuse> misuse_of(F act) {
    try {
        act();
    } catch (const Misuse& misuse) {
        return misuse;
    }
    return std::nullopt;
}

/// A file for one trace of this process; removed by its writer.
inline std::filesystem::path scratch_trace(const char* name) {
    return std::filesystem::temp_directory_path() / ("fiberscope-" + std::to_string(getpid()) + "-" + name + ".json");
}

/// A trace, and the fault of the trace or of its program; empty if there is none.
struct Recorded {
    trace::Trace trace;
    std::string fault;
    bool ended_early = false;  ///< `fault` then describes the end of the program
};

/// Runs `body` in a child process that records, and checks the rules of the trace. See run_in_child.
inline Recorded record(const char* name, const std::function<void()>& body) {
    const auto file = scratch_trace(name);
    const ChildEnd end = run_in_child(file, body);
    Recorded recorded{trace::read(file), {}};
    std::filesystem::remove(file);
    recorded.ended_early = end.signal != 0 || end.status != 0;
    if (recorded.ended_early)
        recorded.fault = told(in_words(end));
    else if (const auto broken = trace::check(recorded.trace))
        recorded.fault = told(message(kEventBreaks, broken->event + 1, Value::of(broken->why)));
    return recorded;
}

/// As record, but fails the test on any fault.
inline trace::Trace trace_of(const char* name, const std::function<void()>& body) {
    Recorded recorded = record(name, body);
    if (recorded.ended_early) {
        INFO(told(message("the recorded run, in a separate process, must end normally; it {0}",
                          Value::of(message_told(recorded.fault)))));
        REQUIRE(recorded.fault == "");
    }
    INFO(told(message("the trace of the run breaks a rule: {0}", Value::of(message_told(recorded.fault)))));
    REQUIRE(recorded.fault == "");
    return std::move(recorded.trace);
}

/// The name of a set in English.
inline std::string set_called(const trace::Trace& trace, std::uint32_t set) {
    return english_of(trace.set_name(set).bytes());
}

/// The number of events of a kind, in sets named `set`, if given.
inline std::size_t count(const trace::Trace& trace, trace::Kind kind, std::string_view set = {}) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < trace.size(); ++i)
        n += trace[i].kind == kind && (set.empty() || set_called(trace, trace[i].set) == set) ? 1U : 0U;
    return n;
}

/// The events of a kind, in order.
inline std::vector<trace::Event> all_of(const trace::Trace& trace, trace::Kind kind) {
    std::vector<trace::Event> all;
    for (std::size_t i = 0; i < trace.size(); ++i)
        if (trace[i].kind == kind) all.push_back(trace[i]);
    return all;
}

/// The first enumerator of each event of a kind: the reason of a switch, the operation on a lock.
template <class Word>
std::vector<Word> firsts_of(const trace::Trace& trace, trace::Kind kind) {
    std::vector<Word> firsts;
    for (const trace::Event& e : all_of(trace, kind)) firsts.push_back(e.first<Word>());
    return firsts;
}

/// The number of events of a kind with this first enumerator.
template <class Word>
requires std::is_enum_v<Word> std::size_t count(const trace::Trace& trace, trace::Kind kind, Word first) {
    return static_cast<std::size_t>(std::ranges::count(firsts_of<Word>(trace, kind), first));
}

/// The reason of each switch, as text.
inline std::vector<std::string> whys_of(const trace::Trace& trace) {
    std::vector<std::string> whys;
    for (const trace::Why why : firsts_of<trace::Why>(trace, trace::Kind::switch_)) whys.emplace_back(word(why));
    return whys;
}

}  // namespace fiberscope::kit::testing
