#include "viewer/panels/workspace.h"

#include <algorithm>
#include <cmath>

#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/model/sources.h"
#include "viewer/panels/compare/card_drawing.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

/// Text height in a presentation relative to the window's height, or to its width if that is less, as on a phone.
constexpr float kPresentation = 0.03F;
constexpr float kPanelHeading = 1.7F;  // em

}  // namespace

Workspace::Workspace(std::vector<std::unique_ptr<Document>> documents, const Style& style)
    : state_{.files = OpenFiles(std::move(documents), style.language), .style = style},
      style_(state_.style),
      said_(state_.said),
      predicting_(state_),
      comparing_(state_, predicting_),
      player_(state_, predicting_, comparing_),
      lecture_(state_, player_),
      one_file_(state_, predicting_),
      rows_(state_, comparing_, predicting_),
      matrix_(state_),
      usual_em_(style.em) {
    apply_style(style_);
    forget_focus();
    if (document().none()) find_offers();
}

bool Workspace::busy() const noexcept {
    const auto tabs = state_.files.tabs();
    return state_.overlays.search.counting() || input_is_queued() ||
           std::any_of(tabs.begin(), tabs.end(), [](const Tab& tab) { return tab.sets.gliding(); });
}

bool Workspace::writes() const {
    return takes_text() || awaits_focus() || opens_field_ || (state_.lecture && player_.recorded());
}

void Workspace::restore(const Settings& settings) {
    state_.settings = settings;
    if (document().none()) find_offers();
    if (settings.theme != style_.theme) apply_theme(settings.theme);
}

Settings Workspace::remembered() const {
    Settings settings = state_.settings;
    settings.theme = style_.theme;
    for (const Tab& tab : state_.files.tabs())
        if (tab.readable() && !tab.document->file().empty()) remember_file(settings, tab.document->file());
    return settings;
}

void draw_overlays(WindowState& state, Rect area, float lanes, const Scene& scene, Selection& selection) {
    Overlays& overlays = state.overlays;
    const Selection before = selection;
    const float lanes_top = std::min(lanes, area.y1 - 10 * state.style.em);
    overlays.search.draw(scene, selection);
    overlays.lanes.draw(scene, {area.x0, lanes_top, area.x1, area.y1}, selection);
    state.files.follow(state.files.document(), before);
    overlays.source.draw(state.style, area);
}

bool Workspace::renew_fonts(float width, float height) {
    const float zoom = state_.settings.zoom;
    const float wanted = state_.present ? std::ceil(std::max(usual_em_, kPresentation * std::min(width, height)) * zoom)
                                        : std::round(usual_em_ * zoom);
    if (wanted == style_.em && !new_names_) return false;
    std::string texts;
    for (const Tab& tab : state_.files.tabs())
        if (tab.readable()) {
            texts += tab.document->replay().trace().texts();
            texts += tab.document->lecture().texts();
        }
    style_.em = wanted;
    const std::string missing = style_.fonts.missing;  // also keeps the language
    style_.fonts = load_fonts(wanted, texts, style_.language, state_.present ? 1.0F : 0.9F);
    if (style_.fonts.missing.empty()) style_.fonts.missing = missing;
    apply_style(style_);
    new_names_ = false;
    for (Tab& tab : state_.files.tabs()) tab.states = {};
    return true;
}

void Workspace::open(const std::string& file) {
    if (side_by_side()) toggle_side_by_side();
    state_.files.open(file, style_.language);
    new_names_ = true;
    comparing_.forget();
    matrix_.forget();
}

bool Workspace::take_again() {
    KnobsOverlay& knobs = state_.overlays.knobs;
    const bool was_busy = knobs.busy();
    const auto file = knobs.poll(style_.language);
    if (!file) return was_busy && !knobs.busy();
    const auto tabs = state_.files.tabs();
    const auto is_it = [&](const Tab& tab) { return tab.document->file() == *file; };
    const auto at = static_cast<std::size_t>(std::find_if(tabs.begin(), tabs.end(), is_it) - tabs.begin());
    again_ = {at, at == active() ? 0 : active()};
    if (at == tabs.size())
        open(*file);
    else
        tabs[at].document->reload_later();
    return true;
}

void Workspace::show_again() {
    const auto tabs = state_.files.tabs();
    if (!again_ || tabs[again_->first].document->loading()) return;
    const auto [at, beside] = *again_;
    again_.reset();
    if (!tabs[at].readable()) return;
    state_.files.activate(beside);
    if (!side_by_side())
        toggle_side_by_side();
    else if (!state_.files.in_step())
        state_.files.change_lock();  // synchronize a recording that was read again
}

bool Workspace::refresh() {
    const bool ended = take_again();
    if (!state_.files.refresh()) return ended;
    new_names_ = true;
    state_.overlays.search.forget();
    comparing_.forget();
    matrix_.forget();
    state_.matrix = state_.matrix && matrix_.possible();
    show_again();
    if (side_by_side() && state_.files.readable().size() < 2) toggle_side_by_side();
    return true;
}

void Workspace::find_offers() {
    if (!recordings_) recordings_ = recordings_in(find_labs(document().file()));
    offers_ = offers_of(*recordings_, state_.settings.recent, style_.language);
}

void Workspace::settle() {
    while (loading()) refresh();
    player_.advance();
}

void Workspace::offer(Recordings recordings, std::function<void(const std::string&)> fetch) {
    recordings_ = std::move(recordings);
    fetch_ = std::move(fetch);
    find_offers();
}

void Workspace::take_offer(const std::string& file) {
    if (fetch_)
        fetch_(file);
    else
        open(file);
}

void Workspace::draw_all_over_card(Rect area) {
    Document& active = document();
    draw_overlays(state_, area, area.y1, {active.replay(), active.index(), style_}, active.selection());
}

std::optional<Action> Workspace::draw_files(Rect area) {
    if (document().none()) {
        const std::string file =
            OffersOverlay::draw_welcome(style_, area.shrunk(0.35F * style_.em), offers_, state_.said);
        if (!file.empty()) take_offer(file);
        return std::nullopt;
    }
    if (state_.matrix) {
        matrix_.draw(area);
        return std::nullopt;
    }
    if (!side_by_side() || state_.maximized != nullptr) return one_file_.draw(area);
    area.y0 = rows_.draw_head(area);
    if (const auto files = comparing_.card(); !files.empty()) {
        const Rect card = place_of_card(style_, area, files);
        state_.note_panel("card", card);
        const std::optional<Action> pressed = draw_decision_card(style_, card, files);
        area.y0 = card.y1;
        if (area.empty()) draw_all_over_card(card);
        if (pressed || area.empty()) return pressed;
    }
    return rows_.draw(area);
}

void Workspace::give_typed() {
    const bool takes = ImGui::GetIO().WantTextInput;
    if (!takes && writes()) return;
    for (const unsigned character : std::exchange(typed_, {}))
        if (takes) ImGui::GetIO().AddInputCharacter(character);
}

void Workspace::take_double_click() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    constexpr int kAlsoOnItems = ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem;
    if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) || !ImGui::IsWindowHovered(kAlsoOnItems)) return;
    const NotedPanel* panel = state_.panel_at({mouse.x, mouse.y});
    if (panel != nullptr && mouse.y < panel->rect.y0 + kPanelHeading * style_.em) state_.maximize(*panel);
}

void Workspace::take_docks(Rect& area) {
    Overlays& overlays = state_.overlays;
    if (overlays.search.open() && document().readable() && !state_.matrix) overlays.search.take_room(area, style_.em);
    if (overlays.knobs.open()) overlays.knobs.take_room(area, style_.em);
}

void Workspace::draw(float width, float height, double seconds) {
    give_typed();
    opens_field_ = false;
    predicting_.advance(seconds);
    player_.advance();
    state_.told = player_.words();
    // ImGui's own Esc reverts the text, and is missed if it is released before the next frame.
    if (std::exchange(leaves_field_, false)) ImGui::SetWindowFocus(nullptr);
    const Rect window{0, 0, width, height};
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin("fiberscope", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    ImGui::GetIO().MouseDoubleClickMaxDist = style_.em;  // two taps of a finger
    state_.panels.clear();
    Rect below{0, draw_tabs(window), width, height};
    const Rect lecture = lecture_.take_room(below);
    take_docks(below);
    document().sync();  // a click on a tab changes the document in this frame
    if (const auto pressed = draw_files(below)) apply(*pressed);
    if (std::exchange(state_.strip, std::nullopt) == 1) apply(Action::next_note);
    take_double_click();
    ImGui::End();
    if (lecture_.draw(lecture)) new_names_ = true;
    if (const std::string file = state_.overlays.offers.draw(style_, window, offers_); !file.empty()) take_offer(file);
    if (const auto wish = state_.overlays.palette.draw(style_, window)) apply(*wish);
    state_.overlays.knobs.draw(style_);
    if (state_.overlays.help)
        if (const auto action = draw_help(style_, window)) apply(*action);
}

}  // namespace fiberscope::viewer
