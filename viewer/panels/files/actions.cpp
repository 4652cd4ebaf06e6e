// Effects of the actions on the window, for all modes.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/model/sources.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {
namespace {

/// The panel that shows the event at the playhead.
Rect Frame::*part_of_event(const Document& document) {
    const std::size_t at = document.replay().at();
    if (at == 0) return &Frame::timeline;
    switch (document.replay().trace()[at - 1].kind) {
    case trace::Kind::set:
    case trace::Kind::insert:
    case trace::Kind::remove:
    case trace::Kind::move:
    case trace::Kind::hand:
    case trace::Kind::link: return has_sets_to_draw(document.index()) ? &Frame::sets : &Frame::timeline;
    case trace::Kind::own:
    case trace::Kind::copy: return &Frame::stacks;
    case trace::Kind::state:
    case trace::Kind::frame: return &Frame::states;
    default: return &Frame::timeline;
    }
}

constexpr float kZoomStep = 1.1F, kLeastZoom = 0.6F, kMostZoom = 3.0F;

}  // namespace

void Workspace::apply(Action action) {
    said_.clear();
    if (apply_to_look(action) || apply_to_lecture(action) || apply_to_overlays(action) || apply_to_files(action))
        return;
    predicting_.apply(action);
}

bool Workspace::apply_to_lecture(Action action) {
    if (action == Action::lecture) state_.lecture = !state_.lecture;
    if (action == Action::choose_none && state_.lecture) {
        if (!state_.overlays.close_one()) (writes() ? leaves_field_ : state_.lecture) = writes();
        return true;
    }
    return action == Action::lecture || player_.apply(action);
}

bool Workspace::apply_to_look(Action action) {
    Settings& settings = state_.settings;
    if (action == Action::sets || action == Action::table) state_.maximized = state_.tab = nullptr;
    switch (action) {
    case Action::theme: apply_theme(style_.theme == Theme::dark ? Theme::light : Theme::dark); return true;
    case Action::maximize: toggle_maximized(); return true;
    case Action::sets: (side_by_side() ? state_.beside_sets : settings.sets) ^= true; return true;
    case Action::table:
        if (side_by_side())
            toggle_matrix();
        else
            settings.table = std::exchange(state_.matrix, false) || !settings.table;
        return true;
    case Action::present:
        state_.present = !state_.present;
        state_.all_panels = false;
        if (state_.present) said_ = style_.says("Presentation: F5 ends it, : lists all actions.");
        return true;
    case Action::larger: settings.zoom = std::min(kMostZoom, settings.zoom * kZoomStep); return true;
    case Action::smaller: settings.zoom = std::max(kLeastZoom, settings.zoom / kZoomStep); return true;
    case Action::predict: predicting_.toggle(); return true;
    default: return false;
    }
}

void Workspace::toggle_maximized() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const NotedPanel* panel = state_.panel_at({mouse.x, mouse.y});
    const bool any = document().readable() && !state_.matrix;
    state_.maximize(panel != nullptr ? *panel
                                     : NotedPanel{{}, {}, any ? part_of_event(document()) : nullptr, active()});
}

bool Workspace::apply_to_overlays(Action action) {
    Overlays& overlays = state_.overlays;
    const auto opened = [this](auto& overlay) {
        overlay.toggle();
        opens_field_ = overlay.open();
        return true;
    };
    switch (action) {
    case Action::palette: return opened(overlays.palette);
    case Action::help: overlays.help = !overlays.help; return true;
    case Action::search: return opened(overlays.search);
    case Action::filter_lanes: return opened(overlays.lanes);
    case Action::recent:
        overlays.offers.toggle();
        find_offers();
        return true;
    case Action::source: show_source(); return true;
    case Action::again: overlays.knobs.toggle(document(), style_.language); return true;
    case Action::choose_none:
        return overlays.close_one() || std::exchange(state_.matrix, false) || state_.show_all() ||
               (side_by_side() && comparing_.close_card());
    default: return false;
    }
}

bool Workspace::apply_to_files(Action action) {
    switch (action) {
    case Action::step:
    case Action::step_back:
        if (state_.matrix) matrix_.scroll(action == Action::step ? 1 : -1);
        return state_.matrix;
    case Action::next_tab:
    case Action::previous_tab:
        // When files are side by side, the question is about the active file.
        if (!side_by_side() || !predicting_.on()) state_.files.activate_next(action == Action::previous_tab);
        return true;
    case Action::side_by_side:
        if (side_by_side() && std::exchange(state_.matrix, false)) return true;  // the matrix covered the rows
        state_.maximized = nullptr;
        if (!toggle_side_by_side())
            said_ = style_.says("Comparing needs two recordings: Ctrl O opens another, or drop its file here.");
        return true;
    case Action::reload:
        if (!state_.files.reload()) said_ = style_.says("No open file has changed.");
        return true;
    case Action::matrix: toggle_matrix(); return true;
    case Action::lock_by: state_.files.change_lock(); return true;
    case Action::next_difference:
    case Action::previous_difference:
        if (side_by_side())
            comparing_.go_to_difference(action == Action::next_difference ? 1 : -1);
        else
            said_ = style_.says("Only recordings side by side have differences: press C first.");
        return true;
    case Action::copy: copy(); return true;
    default: return false;
    }
}

void Workspace::apply_theme(Theme theme) {
    style_.theme = theme;
    apply_style(style_);
}

void Workspace::toggle_matrix() { state_.matrix = !state_.matrix && matrix_.possible(); }

bool Workspace::toggle_side_by_side() {
    state_.matrix = false;
    return state_.files.toggle_side_by_side();
}

void Workspace::copy() {
    const Document& active = document();
    if (!active.readable()) return;
    ImGui::SetClipboardText(
        copied_sentences(active.replay(), active.index(), active.selection(), style_.language).c_str());
    said_ = style_.says("Copied the sentences to the clipboard.");
}

void Workspace::show_source() {
    SourceOverlay& source = state_.overlays.source;
    const auto files = state_.files.tabs();
    if (source.open()) return source.close();
    if (!document().readable()) return;
    std::vector<std::size_t> tabs{active()};
    std::array<std::string, 2> names;
    if (const auto* compared = side_by_side() ? comparing_.differences() : nullptr) {
        tabs = {compared->first, compared->second};
        names = run_names(files[tabs[0]].document->replay().trace(), files[tabs[1]].document->replay().trace());
    }
    std::vector<SourceWish> wishes;
    for (std::size_t i = 0; i < tabs.size(); ++i) {
        const Document& its = *files[tabs[i]].document;
        if (const auto found = line_before(its.replay(), its.index().switches(), its.selection().playhead))
            wishes.push_back({*found, its.replay().trace(), names[i]});
    }
    source.show(wishes, style_.language);
    if (wishes.empty()) said_ = style_.says("The labs have no source for this.");
}

}  // namespace fiberscope::viewer
