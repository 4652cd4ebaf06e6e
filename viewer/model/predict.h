// Predicting: the replay stops before each decision, the student says what runs next, and is told what was right.
#pragma once

#include <string>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

class Predict {
  public:
    bool on() const noexcept { return on_; }
    /// Goes on to the next mode, with no score yet: off, ask which coroutine runs next, ask into which set one goes.
    void toggle() noexcept;

    /// Asks once, for the next switch, be it a decision or a yield, or the next insert after the playhead `from`. Until
    /// it is answered or end() is called, the playhead does not go on. False if there is none, or if all are asked for
    /// already. The score goes on.
    bool ask_once(const trace::Replay& replay, const TraceIndex& index, std::size_t from, bool set);
    /// Whether the question is such a one, asked or answered.
    bool once() const noexcept { return once_; }
    /// Nothing is asked any more.
    void end() noexcept { on_ = once_ = false; }
    /// The playhead goes from `from` to `to`: where it must stop to ask, or `to`. The question is asked where the one
    /// that runs next has not yet been taken out of its queue.
    std::size_t stop(const trace::Replay& replay, const TraceIndex& index, std::size_t from, std::size_t to);
    /// Whether an answer is waited for.
    bool asks() const noexcept { return on_ && asked_ != kNothing; }
    /// Whether the answer is a set.
    bool asks_set() const noexcept { return asks() && sets_; }
    /// The answer: coroutine `co` runs next. Returns the playhead behind the decision.
    /// If a set is asked for, `co` is the number of one.
    std::size_t answer(const trace::Replay& replay, std::uint32_t co);

    /// What to show: the question, or how the last answer was, and the score; at the end what was missed.
    std::string words(const trace::Replay& replay, Language language = Language::english) const;
    std::size_t right() const noexcept { return right_; }
    std::size_t answers() const noexcept { return right_ + missed_.size(); }

  private:
    static constexpr std::size_t kNothing = SIZE_MAX;
    struct Missed {
        std::size_t event;
        std::uint32_t said;
    };
    std::string missed_in_words(const trace::Replay& replay, const Missed& missed, Language language) const;
    std::string end_in_words(const trace::Replay& replay, const std::string& score, Language language) const;
    bool on_ = false, sets_ = false, once_ = false;
    std::size_t asked_ = kNothing;     ///< the decision that is asked for
    std::size_t answered_ = kNothing;  ///< the decision of the last answer
    bool was_right_ = false;
    std::size_t right_ = 0;
    std::vector<Missed> missed_;
};

}  // namespace fiberscope::viewer
