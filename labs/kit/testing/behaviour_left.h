// The state in which a yield leaves a coroutine, as requested by a scheduler; and the last switch in the trace. See
// behaviour.h for how to include this.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "labs/kit/report/notes.h"
#include "labs/kit/testing/behaviour.h"

namespace {

std::string left_in_words(State state, std::int64_t until, std::string_view reason) {
    const std::string when = until == trace::kAbsent ? "no end" : "until " + std::to_string(until) + " ns";
    return std::string(trace::word(state)) + ", " + when + ", " +
           (reason.empty() ? "no reason" : "for " + std::string(reason));
}

/// The result of each yield: the state, the deadline and the reason.
std::vector<std::string> yields_in(const trace::Trace& recorded) {
    std::vector<std::string> yields;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::switch_ && recorded[i].first<trace::Why>() == trace::Why::yield)
            yields.push_back(
                left_in_words(recorded[i].second<State>(), recorded[i].x, recorded.text(recorded[i].text).bytes()));
    return yields;
}

/// `why` of each switch that entered a coroutine.
std::string entries_in(const trace::Trace& recorded) {
    std::string entries;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (recorded[i].kind != trace::Kind::switch_) continue;
        const auto why = recorded[i].first<trace::Why>();
        if (why == trace::Why::start || why == trace::Why::resume) entries += std::string(word(why)) + " ";
    }
    return entries;
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_RESUME
          " the first entry is a start and each later one a resume, whatever state the yield left it in") {
    for (const State left : {State::suspended, State::ready, State::sleeping, State::waiting}) {
        const trace::Trace recorded = kit::testing::trace_of("entries", [left] {
            Coroutine& co = forever([left] {
                for (;;) yield(left, 7'000'000, nullptr);
            });
            for (int i = 0; i < 3; ++i) co.resume();
        });
        INFO(kit::told(message("(it was left {0})", Text(word(left), "state"))));
        INFO("`why` is start for a new coroutine, and resume for any other one, whatever its state");
        CHECK(entries_in(recorded) == "start resume resume ");
    }
}

TEST_CASE(FIBERSCOPE_STEP_RESUME
          " a coroutine stays in the state given to yield, and the trace records the deadline and the reason") {
    INFO("yield leaves it in `left`, with `until` and `reason`: a scheduler's task yields by the same function");
    constexpr std::int64_t kUntil = 5'000'000;
    const auto leave_two = [] {
        Coroutine& ready = forever([] { yield(State::ready, trace::kAbsent, nullptr); });
        Coroutine& waiting = forever([] { yield(State::waiting, kUntil, "a friend"); });
        ready.resume();
        waiting.resume();
        return std::pair(ready.state(), waiting.state());
    };
    const trace::Trace recorded = kit::testing::trace_of("left", leave_two);
    CHECK(yields_in(recorded) == std::vector{left_in_words(State::ready, trace::kAbsent, ""),
                                             left_in_words(State::waiting, kUntil, "a friend")});
    CHECK(leave_two() == std::pair(State::ready, State::waiting));
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " in any state, yield passes on the deadline and the reason unchanged") {
    INFO("pass on `until` and `reason` unchanged, in every state, with or without the other one");
    struct Act {
        State left;
        std::int64_t until;
        const char* reason;
    };
    std::vector<Act> acts;
    std::vector<std::string> told;
    for (const State left : {State::suspended, State::ready, State::sleeping, State::waiting})
        for (const std::int64_t until : {trace::kAbsent, std::int64_t{7'000'000}})
            for (const char* const reason : {"", "a friend"}) {
                if (left == State::sleeping && until == trace::kAbsent) continue;  // a sleeper has a deadline
                acts.push_back({left, until, *reason == 0 ? nullptr : reason});
                told.push_back(left_in_words(left, until, reason));
            }
    const trace::Trace recorded = kit::testing::trace_of("passed on", [&acts] {
        for (const Act& act : acts) forever([act] { yield(act.left, act.until, act.reason); }).resume();
    });
    CHECK(yields_in(recorded) == told);
}

TEST_CASE(FIBERSCOPE_STEP_RESUME " a coroutine left ready, sleeping or waiting is resumed like a suspended one") {
    INFO(
        "refuse only a coroutine that is dead, running or normal: a scheduler resumes what it has left ready or "
        "waiting");
    std::string resumed;
    for (const State left : {State::ready, State::sleeping, State::waiting}) {
        Coroutine& co = forever([&resumed, left] {
            yield(left, trace::kAbsent, nullptr);
            resumed += std::string(word(left)) + " ";
            yield_for_ever();
        });
        co.resume();
        const auto refused = misuse_of([&] { co.resume(); });
        CHECK_FALSE(refused.has_value());
    }
    CHECK(resumed == "ready sleeping waiting ");
}

TEST_CASE(FIBERSCOPE_STEP_END " in the trace the last switch is an exit") {
    const trace::Trace recorded = kit::testing::trace_of("exit", [] {
        Coroutine co([] { yield(); });
        co.resume();
        co.resume();
    });
    INFO("the last switch is an exit: only a coroutine that continues later yields");
    CHECK(kit::testing::whys_of(recorded) == std::vector<std::string>{"start", "yield", "resume", "exit"});
}
