// A lab as a backend for schedulers: the hand-over from one coroutine to another (kit::CoroutineBackend). Define
// FIBERSCOPE_STEP_HAND_OVER as the step and FIBERSCOPE_BACKEND as the backend before including this.
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

/// A coroutine of that backend, with its own memory.
class HandsOver {
  public:
    HandsOver(fiberscope::kit::Body body, std::string name)
        : core_(kHandsOver.create(room_.data(), std::move(body), {.name = std::move(name)})) {}
    ~HandsOver() { kHandsOver.destroy(core_); }
    HandsOver(const HandsOver&) = delete;
    HandsOver& operator=(const HandsOver&) = delete;

    fiberscope::kit::Core& core() noexcept { return core_; }
    void resume() { fiberscope::kit::resume(kHandsOver, core_); }
    /// Called when the coroutine has ended and another one was resumed.
    void ended() { kHandsOver.after_end(core_); }
    State state() const noexcept { return core_.state(); }

  private:
    std::vector<std::max_align_t> room_ = std::vector<std::max_align_t>(kHandsOver.size / sizeof(std::max_align_t) + 1);
    fiberscope::kit::Core& core_;
};

/// Describes each switch away from "first": "swap to next: waiting until 7000 ns for a friend".
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
          " a hand-over is recorded with its state, its end and its reason, for a new and for a ready target") {
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
    INFO(
        "given: the trace records the state, the deadline and the reason of a hand-over, whatever the next "
        "coroutine's state");
    CHECK(hand_overs_in(recorded) ==
          "start to next: waiting until 7000 ns for a friend; swap to next: sleeping until 9000 ns for nothing; ");
}
