// Asks the student what comes next. With several files the question is about the active one, and the others follow it.
#pragma once

#include <string>

#include "viewer/model/predict.h"
#include "viewer/panels/files/window_state.h"

namespace fiberscope::viewer {

class Predicting {
  public:
    explicit Predicting(WindowState& state) noexcept : state_(state), style_(state.style) {}

    /// Cycles through: asking which coroutine runs next, asking into which set one is inserted, off.
    void toggle();
    bool on() const noexcept { return predict_.on(); }
    /// Asks a single question about the next event: which coroutine runs next, or into which set one is inserted.
    bool ask_once(bool set);
    void forget() noexcept { predict_.forget(); }
    void end_once() noexcept {
        if (predict_.once()) predict_.end();
    }
    bool asks_set() const noexcept { return predict_.asks_set(); }
    const Predict& predict() const noexcept { return predict_; }
    /// The line above the panels; empty if nothing is asked.
    std::string words() const;

    /// Applies `action` to the active file, or to all side by side, and stops at the next question.
    void apply(Action action);
    /// Plays for `seconds`, and stops likewise.
    void advance(double seconds);
    /// Takes a click as the answer to an open question; `chosen_before` is the coroutine selected before the click.
    void take_answer(std::uint32_t chosen_before);
    /// Draws a button for each set above the bottom of `area`, if the question is about sets; a click answers.
    void draw_set_answers(Rect area);

  private:
    std::size_t playhead() const;
    /// If there is a question between `before` and the active file's position, moves the file back to it.
    void stop_to_ask(std::size_t before);

    WindowState& state_;
    const Style& style_;
    Predict predict_;
};

}  // namespace fiberscope::viewer
