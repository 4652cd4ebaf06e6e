// Prediction: the replay stops before each decision, the student predicts what runs next, and sees whether it was
// right.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

class Predict {
  public:
    bool on() const noexcept { return on_; }
    /// Switches to the next mode and resets the score: off, ask which coroutine runs next, ask into which set one is
    /// inserted. The last question is not asked again.
    void toggle();

    /// Asks a single question, that of question_at(). Until it is answered or end() is called, the playhead does not
    /// move. Returns false if there is none, if it was answered before, or if a mode is on. Keeps the score.
    bool ask_once(const trace::Replay& replay, const TraceIndex& index, std::size_t from, bool set);
    /// Whether the current or last question is from ask_once().
    bool once() const noexcept { return once_; }
    /// Stops asking.
    void end() noexcept { on_ = once_ = false; }
    /// Allows answered questions to be asked again.
    void forget() noexcept { done_.clear(); }
    /// For a move of the playhead from `from` to `to`: the position at which to stop for a question, or `to`. The
    /// question is asked before the coroutine that runs next is removed from its queue. Answered ones are skipped.
    std::size_t stop(const trace::Replay& replay, const TraceIndex& index, std::size_t from, std::size_t to);
    /// Whether a question is open.
    bool asks() const noexcept { return on_ && asked_ != kNothing; }
    /// Whether the answer is a set.
    bool asks_set() const noexcept { return asks() && sets_; }
    /// Answers with coroutine `co`, or with set number `co` if asks_set(). Returns the playhead after the decision.
    std::size_t answer(const trace::Replay& replay, std::uint32_t co);

    /// The question, or the result of the last answer, and the score; at the end, the mistakes.
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
    /// Whether question `event` was answered in this trace.
    bool is_done(const trace::Replay& replay, std::size_t event) const;
    bool on_ = false, sets_ = false, once_ = false;
    std::size_t asked_ = kNothing;     ///< the decision in question
    std::size_t answered_ = kNothing;  ///< the decision of the last answer
    bool was_right_ = false;
    std::size_t right_ = 0;
    std::vector<Missed> missed_;
    const trace::Trace* trace_ = nullptr;  ///< that of done_
    std::vector<std::size_t> done_;        ///< answered questions
};

/// The event that a question at playhead `from` is about: the next insert (`set`), or the next switch (a decision or a
/// yield); at place_of_question() the decision. Nothing if there is none.
std::optional<std::size_t> question_at(const trace::Replay& replay, const TraceIndex& index, std::size_t from,
                                       bool set);
/// The playhead at which to ask about the next decision after `from`, or the next insert (`set`).
std::optional<std::size_t> place_of_question(const trace::Replay& replay, const TraceIndex& index, std::size_t from,
                                             bool set);
/// The name of the coroutine that runs after `event`, or of the set into which it inserts one (`set`).
std::string right_answer(const trace::Trace& trace, std::size_t event, bool set, Language language);

}  // namespace fiberscope::viewer
