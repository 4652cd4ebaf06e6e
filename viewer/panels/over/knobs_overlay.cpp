#include "viewer/panels/over/knobs_overlay.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kKnobName = 6, kKnobValue = 13;  // em

/// Counts up or down; an empty or invalid value becomes 1.
void count_on(std::string& text, bool up) {
    const unsigned long long now = std::strtoull(text.c_str(), nullptr, 10);
    text = std::to_string(up ? now + 1 : std::max(1ULL, now) - (now > 1 ? 1 : 0));
}

/// One button per choice. Returns whether the value was changed.
bool draw_choice(const Style& style, Knob& knob) {
    bool changed = false;
    for (const std::string& choice : knob.choices) {
        const bool chosen = choice == knob.value, first = &choice == &knob.choices.front();
        if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
        const std::string label = choice + "##" + knob.name;
        if (first ? button(style, label) : button_behind(style, label)) {
            changed = !chosen;
            knob.value = choice;
        }
        if (chosen) ImGui::PopStyleColor();
    }
    return changed;
}

bool draw_value(const Style& style, Knob& knob) {
    bool changed = value_field(style, "##" + knob.name, knob.value, kKnobValue * style.em);
    if (knob.kind != KnobKind::number) return changed;
    for (const bool up : {false, true}) {
        if (!button_behind(style, std::string(up ? "+" : "−") + "##" + knob.name)) continue;
        count_on(knob.value, up);
        changed = true;
    }
    return changed;
}

bool draw_knob(const Style& style, Knob& knob) {
    ImGui::AlignTextToFramePadding();
    words(style, knob.name);
    ImGui::SameLine(kKnobName * style.em);
    return knob.kind == KnobKind::choice ? draw_choice(style, knob) : draw_value(style, knob);
}

}  // namespace

void KnobsOverlay::toggle(const Document& document, Language language) {
    open_ = !open_ && document.readable();
    fold(false);
    if (!open_) return;
    if (rerun_ == nullptr) rerun_ = std::make_unique<Rerun>(programs_of_environment());
    rerun_->ask(document.replay().trace(), language);
}

std::optional<std::filesystem::path> KnobsOverlay::poll(Language language) {
    auto file = rerun_ == nullptr ? std::nullopt : rerun_->poll(language);
    if (file) fold(true);
    return file;
}

void KnobsOverlay::fold(bool folded) {
    folded_ = folded;
    dock_.forget();
}

/// All settings. Returns whether one was changed.
bool KnobsOverlay::draw_all(const Style& style) {
    Rerun& rerun = *rerun_;
    bool changed = false;
    if (!rerun.demo().empty()) words(style, style.says("Run {0} again and compare:", rerun.demo()));
    for (Knob& knob : rerun.knobs())
        if (acts(knob, rerun.knobs())) changed |= draw_knob(style, knob);
    if (!rerun.demo().empty()) changed |= button(style, style.says("run"));
    if (rerun.knows_mine() && !rerun.demo().empty())
        changed |= checkbox_behind(style, style.says("with your own files"), rerun.mine());
    return changed;
}

/// The first setting, beside a button that unfolds the others. Returns whether a setting was changed.
bool KnobsOverlay::draw_folded(const Style& style) {
    const bool changed = !rerun_->knobs().empty() && draw_knob(style, rerun_->knobs().front());
    if (button_behind(style, style.says("settings"))) fold(false);
    return changed;
}

void KnobsOverlay::draw(const Style& style) {
    if (!open_) return;
    const bool folded = folded_;
    dock_.begin(folded ? "knobs, folded" : "knobs", style);  // two windows, since their heights differ
    if (folded ? draw_folded(style) : draw_all(style)) rerun_->run(style.language);
    // Unfolded, the line is always there, so that widgets do not move when there is a message.
    const std::string& said = rerun_->said();
    if (!folded || !said.empty()) paragraph(style, said.empty() ? " " : said, style.colors().text);
    dock_.end();
}

}  // namespace fiberscope::viewer
