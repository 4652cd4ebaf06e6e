#include <cmath>

#include "viewer/model/keys.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kFewButtons = 40;  // em: below this width only the play buttons and the scrubber are shown

enum class Icon { first, back, play, pause, forward, last };

void draw_icon(const Canvas& canvas, Rect r, Icon icon) {
    const Color ink = canvas.style().colors().text;
    const float s = r.height() * 0.28F, x = r.middle_x(), y = r.middle_y();
    const auto triangle = [&](float at, float direction) {
        canvas.list()->AddTriangleFilled({at + direction * s, y}, {at - direction * s * 0.7F, y - s},
                                         {at - direction * s * 0.7F, y + s}, packed(ink));
    };
    const auto bar = [&](float at) { canvas.fill({at - s * 0.2F, y - s, at + s * 0.2F, y + s}, ink); };
    switch (icon) {
    case Icon::first:
        bar(x - 1.5F * s);
        triangle(x - 0.2F * s, -1);
        triangle(x + 1.3F * s, -1);
        break;
    case Icon::back:
        bar(x - s);
        triangle(x + 0.4F * s, -1);
        break;
    case Icon::play: triangle(x, 1); break;
    case Icon::pause:
        bar(x - 0.5F * s);
        bar(x + 0.5F * s);
        break;
    case Icon::forward:
        bar(x + s);
        triangle(x - 0.4F * s, 1);
        break;
    case Icon::last:
        bar(x + 1.5F * s);
        triangle(x + 0.2F * s, 1);
        triangle(x - 1.3F * s, 1);
        break;
    }
}

/// Buttons from left to right; records which one was clicked.
class Buttons {
  public:
    Buttons(const Style& style, Rect r) : style_(style), r_(r), x_(r.x0) {}

    void icon(Icon icon, Action action) {
        const Rect r{x_, r_.y0, x_ + 2.6F * style_.em, r_.y1};
        press("##icon", r, action);
        draw_icon(Canvas(ImGui::GetWindowDrawList(), style_), r, icon);
    }
    /// The width of a button with text, and the gap after it.
    float wide(const std::string& label) const { return ImGui::CalcTextSize(label.c_str()).x + 1.5F * style_.em; }
    void words(const std::string& label, Action action) {
        press(label.c_str(), {x_, r_.y0, x_ + wide(label) - 0.3F * style_.em, r_.y1}, action);
    }
    void text(const std::string& text, float width) {
        const Canvas canvas(ImGui::GetWindowDrawList(), style_);
        canvas.text_in({x_, r_.y0, x_ + width, r_.y1}, text, style_.colors().text);
        x_ += width + 0.3F * style_.em;
    }
    void gap() { x_ += 0.7F * style_.em; }
    float x() const noexcept { return x_; }
    std::optional<Action> pressed;

  private:
    void press(const char* label, Rect r, Action action) {
        ImGui::PushID(static_cast<int>(action));
        ImGui::SetCursorScreenPos({r.x0, r.y0});
        if (button(style_, label, {r.width(), r.height()})) pressed = action;
        ImGui::PopID();
        if (ImGui::IsItemHovered()) tooltip_of(style_, row_of(action));
        x_ = r.x1 + 0.3F * style_.em;
    }

    const Style& style_;
    Rect r_;
    float x_;
};

/// The whole trace as a line on which the playhead is dragged, event by event.
void draw_scrubber(const Scene& scene, Rect r, Selection& selection) {
    if (r.width() < 4 * scene.style.em) return;
    const auto size = static_cast<std::uint64_t>(scene.replay.size());
    std::uint64_t value = selection.playhead;
    const std::uint64_t least = 0;
    ImGui::SetCursorScreenPos({r.x0, r.y0 + (r.height() - ImGui::GetFrameHeight()) / 2});
    ImGui::SetNextItemWidth(r.width());
    if (ImGui::SliderScalar("##scrub", ImGuiDataType_U64, &value, &least, &size, "", ImGuiSliderFlags_AlwaysClamp))
        selection.playhead = static_cast<std::size_t>(value);
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", scene.style.says("drag the playhead: {0} of {1} events", value, size).c_str());
}

std::string speed_in_words(const Style& style, double events_per_second) {
    return style.says("{0} events/s", std::lround(events_per_second));
}

}  // namespace

std::optional<Action> draw_playback_bar(const Scene& scene, Rect area, Selection& selection, const Playback& playback) {
    const Rect r = begin_panel("playback", area, scene.style, "");
    const float em = scene.style.em;
    Buttons buttons(scene.style, r);
    buttons.icon(Icon::first, Action::home);
    buttons.icon(Icon::back, Action::step_back);
    buttons.icon(playback.playing ? Icon::pause : Icon::play, Action::play_pause);
    buttons.icon(Icon::forward, Action::step);
    buttons.icon(Icon::last, Action::end);
    buttons.gap();
    if (r.width() < kFewButtons * em) {  // the other actions have keys or gestures
        draw_scrubber(scene, {buttons.x(), r.y0, r.x1, r.y1}, selection);
        end_panel();
        return buttons.pressed;
    }
    buttons.words("−", Action::slower);
    buttons.text(speed_in_words(scene.style, playback.events_per_second()),
                 ImGui::CalcTextSize(speed_in_words(scene.style, Playback::kSpeeds.back()).c_str()).x);
    buttons.words("+", Action::faster);
    buttons.gap();
    const float right = 14.5F * em;
    const std::string before = scene.style.says("← its event"), after = scene.style.says("its event →");
    if (selection.chosen != trace::kNone &&
        buttons.x() + buttons.wide(before) + buttons.wide(after) <= r.x1 - right) {  // both also have keys
        buttons.words(before, Action::previous_of_chosen);
        buttons.words(after, Action::next_of_chosen);
        buttons.gap();
    }
    draw_scrubber(scene, {buttons.x(), r.y0, r.x1 - right, r.y1}, selection);
    Buttons more(scene.style, {r.x1 - right + 0.6F * em, r.y0, r.x1, r.y1});
    more.words(scene.style.says("fit"), Action::fit);
    more.words(scene.style.says(scene.style.theme == Theme::dark ? mark("light") : mark("dark")), Action::theme);
    more.words(scene.style.says("? keys"), Action::help);
    end_panel();
    return buttons.pressed ? buttons.pressed : more.pressed;
}

}  // namespace fiberscope::viewer
