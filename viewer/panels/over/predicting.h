// Asks the student what comes next. With several files at once the active one is asked about, and the others follow it.
#pragma once

#include <string>

#include "viewer/model/predict.h"
#include "viewer/panels/files/window_state.h"

namespace fiberscope::viewer {

class Predicting {
  public:
    explicit Predicting(WindowState& state) noexcept : state_(state), style_(state.style) {}

    /// Begins to ask which coroutine comes next, then into which set one goes; then ends.
    void toggle();
    bool on() const noexcept { return predict_.on(); }
    /// Asks once for what comes after the playhead: which coroutine runs next, or into which set the next one goes.
    bool ask_once(bool set);
    void end_once() noexcept {
        if (predict_.once()) predict_.end();
    }
    bool asks_set() const noexcept { return predict_.asks_set(); }
    const Predict& predict() const noexcept { return predict_; }
    /// What to show above the panels; empty if nothing is asked.
    std::string words() const;

    /// Carries out `action` on the active file, or on all side by side, and stops at the next question.
    void apply(Action action);
    /// Plays for `seconds`, and stops likewise.
    void advance(double seconds);
    /// What was clicked is the answer, if one is waited for; `chosen_before`: what was chosen before the click.
    void take_answer(std::uint32_t chosen_before);
    /// A button for each set, above the bottom of `area`; the one that is clicked is the answer. Nothing unless a set
    /// is asked for.
    void draw_set_answers(Rect area);

  private:
    /// The active file came from `before`: it goes back to the first question on its way, if there is one.
    void stop_to_ask(std::size_t before);

    WindowState& state_;
    const Style& style_;
    Predict predict_;
};

}  // namespace fiberscope::viewer
