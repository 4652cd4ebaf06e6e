// What a lab gives to schedulers: a hand-over from one coroutine to another (kit::CoroutineBackend). Before it is
// included, FIBERSCOPE_STEP_HAND_OVER is the step, and FIBERSCOPE_BACKEND names the backend.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/run/backend.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

namespace {

using fiberscope::kit::State;
using fiberscope::trace::Why;
constexpr const fiberscope::kit::CoroutineBackend& kHandsOver = FIBERSCOPE_BACKEND;

void yield_ready() { kHandsOver.yield(State::ready, fiberscope::trace::kAbsent, nullptr); }
void hand_over_ready(fiberscope::kit::Core& to) {
    kHandsOver.hand_over(to, State::ready, fiberscope::trace::kAbsent, nullptr);
}

/// A coroutine of that backend, in memory of its own.
class HandsOver {
  public:
    HandsOver(fiberscope::kit::Body body, std::string name)
        : core_(kHandsOver.create(room_.data(), std::move(body), {.name = std::move(name)})) {}
    ~HandsOver() { kHandsOver.destroy(core_); }
    HandsOver(const HandsOver&) = delete;
    HandsOver& operator=(const HandsOver&) = delete;

    fiberscope::kit::Core& core() noexcept { return core_; }
    void resume() { fiberscope::kit::resume(kHandsOver, core_); }
    /// It has ended, and another one was resumed.
    void ended() { kHandsOver.after_end(core_); }
    State state() const noexcept { return core_.state(); }

  private:
    std::vector<std::max_align_t> room_ = std::vector<std::max_align_t>(kHandsOver.size / sizeof(std::max_align_t) + 1);
    fiberscope::kit::Core& core_;
};

/// "swap to next: waiting until 7000 ns for a friend", of each switch by which "first" was left.
std::string hand_overs_in(const fiberscope::trace::Trace& recorded) {
    std::string all;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const auto& e = recorded[i];
        if (e.kind != fiberscope::trace::Kind::switch_ || recorded.name(e.co) != "first") continue;
        if (recorded.name(e.other) != "next") continue;  // its end
        all += std::string(word(e.first<Why>())) + " to " + recorded.name(e.other) + ": " +
               std::string(word(e.second<State>())) + " until " + std::to_string(e.x) + " ns for " +
               std::string(recorded.text(e.text).bytes()) + "; ";
    }
    return all;
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_HAND_OVER
          " a hand-over is told with its state, its end and its reason, to one that is new and to one that is ready") {
    const auto recorded = fiberscope::kit::testing::trace_of("hand-over", [] {
        HandsOver next([] { yield_ready(); }, "next");
        HandsOver first(
            [&] {
                kHandsOver.hand_over(next.core(), State::waiting, 7000, "a friend");
                kHandsOver.hand_over(next.core(), State::sleeping, 9000, "nothing");
            },
            "first");
        first.resume();  // `next` is new, and yields
        first.resume();  // `next` is ready, and ends
        next.ended();
    });
    INFO("given: the trace says how a hand-over leaves a coroutine, until when and why, whatever the next one was");
    CHECK(hand_overs_in(recorded) ==
          "start to next: waiting until 7000 ns for a friend; swap to next: sleeping until 9000 ns for nothing; ");
}

TEST_CASE(FIBERSCOPE_STEP_HAND_OVER " a hand-over that is refused changes nothing: the one that asked runs on") {
    std::string told;
    HandsOver dead([] {}, "dead");
    dead.resume();
    HandsOver* outer = nullptr;
    HandsOver first(
        [&] {
            fiberscope::kit::Core& self = *fiberscope::kit::this_thread().current;
            for (fiberscope::kit::Core* to : {&dead.core(), &self, &outer->core()}) {
                const auto refused = fiberscope::kit::testing::misuse_of([to] { hand_over_ready(*to); });
                const auto& thread = fiberscope::kit::this_thread();
                told += refused && refused->id() == to->id() ? "refused" : "not refused, or by another name";
                const bool same = thread.callers.top() == &self && thread.callers.depth() == 2;
                told +=
                    same && thread.current == &self && self.state() == State::running ? "; " : ", but not the same; ";
            }
            yield_ready();
        },
        "first");
    HandsOver second(
        [&] {
            first.resume();
            told += "back";
        },
        "second");
    outer = &second;
    second.resume();
    INFO("given: a hand-over refuses one that is dead, running or normal before the stack of callers has changed");
    CHECK(told == "refused; refused; refused; back");
    first.resume();
}

TEST_CASE(FIBERSCOPE_STEP_HAND_OVER " unwound by a scheduler, a new coroutine is dead and one that was left too") {
    HandsOver fresh([] {}, "fresh"), left([] { yield_ready(); }, "left");
    left.resume();
    std::string states;
    for (HandsOver* one : {&fresh, &left})
        for (int twice = 0; twice < 2; ++twice) {
            kHandsOver.unwind(one->core());
            states += std::string(word(one->state())) + " ";
        }
    INFO("given: what unwind has looked at is dead: a scheduler that ends must not find a coroutine that can run");
    CHECK(states == "dead dead dead dead ");
}

TEST_CASE(FIBERSCOPE_STEP_HAND_OVER " one that has handed over is unwound as one that has yielded") {
    struct Local {
        int& gone;
        ~Local() { ++gone; }
    };
    int gone = 0, behind = 0;
    for (const bool ready : {true, false}) {
        HandsOver next([] { yield_ready(); }, "next");
        HandsOver first(
            [&] {
                const Local local{gone};
                if (ready)
                    hand_over_ready(next.core());
                else
                    kHandsOver.hand_over(next.core(), State::suspended, fiberscope::trace::kAbsent, nullptr);
                ++behind;
            },
            "first");
        first.resume();
    }
    INFO("given: a hand-over throws in one that is being destroyed, as a yield does: what stands behind it never runs");
    CHECK(gone == 2);
    CHECK(behind == 0);
}
