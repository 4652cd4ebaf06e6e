#include "viewer/panels/workspace.h"

#include <algorithm>
#include <cmath>

#include "viewer/layout/words/copied.h"
#include "viewer/layout/words/sentence.h"
#include "viewer/model/sources.h"
#include "viewer/panels/over/mode_tabs.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

/// Text in a presentation has this part of the window's height.
constexpr float kPresentation = 0.03F;
/// Of the row at the top the tabs of the files have this part at least.
constexpr float kFilesShare = 0.45F;
constexpr float kFewTabs = 10;  // em: they leave no less for the tabs of files
/// ImGui asks for the keyboard in one frame, has it in the next, and takes text in the one after.
constexpr int kFramesToFocus = 4;
constexpr float kZoomStep = 1.1F, kLeastZoom = 0.6F, kMostZoom = 3.0F;

}  // namespace

Workspace::Workspace(std::vector<std::unique_ptr<Document>> documents, const Style& style)
    : state_{.files = OpenFiles(std::move(documents), style.language), .style = style},
      style_(state_.style),
      said_(state_.said),
      predicting_(state_),
      comparing_(state_, predicting_),
      figures_(state_),
      one_file_(state_, predicting_),
      rows_(state_, comparing_, predicting_, figures_),
      overlaid_(state_, comparing_, figures_),
      usual_em_(style.em) {
    apply_style(style_);
    if (document().none()) find_offers();
}

void Workspace::apply(Action action) {
    said_.clear();
    if (apply_to_look(action) || apply_to_overlays(action) || apply_to_files(action)) return;
    predicting_.apply(action);
}

bool Workspace::apply_to_look(Action action) {
    Settings& settings = state_.settings;
    switch (action) {
    case Action::theme: apply_theme(style_.theme == Theme::dark ? Theme::light : Theme::dark); return true;
    case Action::sets: (side_by_side() ? state_.beside_sets : settings.sets) ^= true; return true;
    case Action::table:
        if (side_by_side())
            figures_.toggle();
        else
            settings.table = !settings.table;
        return true;
    case Action::plots: settings.plots = !settings.plots; return true;
    case Action::figures: figures_.toggle(); return true;
    case Action::present:
        state_.present = !state_.present;
        if (state_.present) said_ = style_.says("A presentation: F5 ends it, and : has all actions.");
        return true;
    case Action::larger: settings.zoom = std::min(kMostZoom, settings.zoom * kZoomStep); return true;
    case Action::smaller: settings.zoom = std::max(kLeastZoom, settings.zoom / kZoomStep); return true;
    case Action::overlay: state_.overlaid = !state_.overlaid && !predicting_.on(); return true;
    case Action::fold_same: comparing_.toggle_same(); return true;
    case Action::predict: predicting_.toggle(); return true;
    default: return false;
    }
}

bool Workspace::apply_to_overlays(Action action) {
    Overlays& overlays = state_.overlays;
    const auto opened = [this](auto& overlay) {
        overlay.toggle();
        awaited_ = overlay.open() ? kFramesToFocus : 0;
        return true;
    };
    switch (action) {
    case Action::palette: return opened(overlays.palette);
    case Action::help: overlays.help = !overlays.help; return true;
    case Action::search: return opened(overlays.search);
    case Action::until_menu: overlays.until.toggle(); return true;
    case Action::filter_lanes: return opened(overlays.lanes);
    case Action::recent:
        overlays.offers.toggle();
        find_offers();
        return true;
    case Action::source: show_source(); return true;
    case Action::choose_none: return overlays.close_one();
    default: return false;
    }
}

bool Workspace::apply_to_files(Action action) {
    switch (action) {
    case Action::next_tab:
    case Action::previous_tab:
        // Side by side the question is about the active file.
        if (!side_by_side() || !predicting_.on()) state_.files.activate_next(action == Action::previous_tab);
        return true;
    case Action::side_by_side:
        if (!toggle_side_by_side())
            said_ = style_.says("Comparing needs two recordings: Ctrl O opens another, or drop its file here.");
        return true;
    case Action::next_note:
    case Action::previous_note:
        if (document().readable() && document().notes().notes.empty())
            said_ = style_.says("{0} has no notes: Ctrl O lists the lectures.", document().title());
        return false;
    case Action::reload:
        if (!state_.files.reload()) said_ = style_.says("No open file was written again.");
        return true;
    case Action::lock_by: state_.files.change_lock(); return true;
    case Action::next_difference: comparing_.go_to_difference(1); return true;
    case Action::previous_difference: comparing_.go_to_difference(-1); return true;
    case Action::picture: picture_wishes_.push_back({PictureWish::Kind::window, {}}); return true;
    case Action::svg: picture_wishes_.push_back({PictureWish::Kind::svg, {}}); return true;
    case Action::panel_picture: wish_panel_at_mouse(); return true;
    case Action::copy:
    case Action::copy_row:
    case Action::copy_state: copy(action); return true;
    default: return false;
    }
}

void Workspace::apply_theme(Theme theme) {
    style_.theme = theme;
    apply_style(style_);
}

bool Workspace::toggle_side_by_side() {
    if (!state_.files.toggle_side_by_side()) return false;
    comparing_.apply_same();
    return true;
}

bool Workspace::on(Action action) const {
    switch (action) {
    case Action::side_by_side: return side_by_side();
    case Action::predict: return predicting_.on();
    case Action::present: return state_.present;
    case Action::table: return side_by_side() ? !figures_.drawn().rows.empty() : table();
    case Action::search: return state_.overlays.search.open();
    case Action::next_note: return document().note_here() != nullptr;
    case Action::palette: return state_.overlays.palette.open();
    default: return false;
    }
}

void Workspace::copy(Action action) {
    const Document& active = document();
    if (!active.readable()) return;
    const Selection& selection = active.selection();
    std::string text = copied_sentences(active.replay(), active.index(), selection, style_.language);
    Text what = mark("The sentences are on the clipboard.");
    if (action == Action::copy_state) {
        text = copied_state(active.replay(), active.index(), selection, style_.language);
        what = mark("The state is on the clipboard.");
    } else if (action == Action::copy_row && table() && !side_by_side()) {
        text = state_.files.active_tab().table.as_text({active.replay(), active.index(), style_}, selection);
        what = mark("The table is on the clipboard.");
    } else if (action == Action::copy_row) {
        text = copied_row(active.replay().trace(), selection, style_.language);
        what = text.empty() ? mark("There is no event before the first: nothing is on the clipboard.")
                            : mark("The row of the event is on the clipboard.");
    }
    ImGui::SetClipboardText(text.c_str());
    said_ = style_.says(what);
}

void Workspace::wish_panel_at_mouse() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto at_mouse = [&](const auto& panel) { return panel.second.contains({mouse.x, mouse.y}); };
    const auto found = std::find_if(panels().rbegin(), panels().rend(), at_mouse);
    if (found != panels().rend())
        picture_wishes_.push_back({PictureWish::Kind::panel, std::string(found->first)});
    else
        said_ = style_.says("Put the mouse on a panel, then press Ctrl P.");
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

void Workspace::show_source() {
    SourceOverlay& source = state_.overlays.source;
    const auto files = state_.files.tabs();
    if (source.open()) {
        said_ = source.edit();
        return;
    }
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
        if (const auto* found = mechanism_before(its.replay(), its.index().switches(), its.selection().playhead))
            wishes.push_back({*found, its.replay().trace(), names[i]});
    }
    source.show(wishes, style_.language);
    if (wishes.empty()) said_ = style_.says("The labs have no source for this.");
}

void draw_overlays(WindowState& state, Rect area, float lanes, const Scene& scene, Selection& selection) {
    Overlays& overlays = state.overlays;
    const Selection before = selection;
    const float lanes_top = std::min(lanes, area.y1 - 10 * state.style.em);
    overlays.search.draw(scene, area, selection);
    overlays.lanes.draw(scene, {area.x0, lanes_top, area.x1, area.y1}, selection);
    if (const auto wish = overlays.until.draw(scene, area, selection))
        state.said = state.files.document().play_until(wish->until, wish->at_once, state.style.language);
    state.files.follow(state.files.document(), before);
    if (const std::string said = overlays.source.draw(state.style, area); !said.empty()) state.said = said;
}

bool Workspace::renew_fonts(float height) {
    const float zoom = state_.settings.zoom;
    const float wanted =
        std::round(state_.present ? std::max(usual_em_ * zoom, kPresentation * height * zoom) : usual_em_ * zoom);
    if (wanted == style_.em && !new_names_) return false;
    std::string texts;
    for (const Tab& tab : state_.files.tabs())
        if (tab.readable()) {
            texts += tab.document->replay().trace().texts();
            texts += tab.document->notes().title.bytes();
            for (const trace::Note& note : tab.document->notes().notes) texts += note.text.bytes();
        }
    style_.em = wanted;
    style_.fonts = load_fonts(wanted, texts, style_.language);
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
}

bool Workspace::refresh() {
    if (!state_.files.refresh()) return false;
    new_names_ = true;
    state_.overlays.search.forget();
    comparing_.forget();
    comparing_.apply_same();
    if (side_by_side() && state_.files.readable().size() < 2) toggle_side_by_side();
    return true;
}

float Workspace::draw_lock_button(Rect area) {
    const std::string lock = state_.files.in_step()
                                 ? style_.says("locked by {0} (L)", style_.says(lock_word(this->lock())))
                                 : style_.says("not locked (L)");
    const float begin = area.x1 - ImGui::CalcTextSize(lock.c_str()).x - style_.em;
    if (begin < area.x0 + kFewTabs * style_.em) return area.x1;
    ImGui::SetCursorScreenPos({begin, area.y0});
    if (button(style_, lock + "###lock", {area.x1 - begin, area.height()})) state_.files.change_lock();
    return begin - 0.5F * style_.em;
}

float Workspace::draw_tabs(float width) {
    const float em = style_.em, height = 1.9F * em;
    const bool files = size() > 1;
    if (state_.present && !files) return 0;
    Rect row{0.35F * em, 0.25F * em, width - 0.35F * em, height - 0.15F * em};
    std::optional<Action> pressed;
    if (!state_.present) {
        const float left = row.x0 + (files ? kFilesShare * row.width() : 0);
        pressed = draw_modes(
            style_, {left, row.y0, row.x1, row.y1}, [this](Action action) { return on(action); }, row.x1);
    }
    row.x1 -= 0.5F * em;
    if (side_by_side()) row.x1 = draw_lock_button(row);
    if (files) draw_file_tabs({row.x0, row.y0, row.x1, height});
    if (pressed) apply(*pressed);
    return height;
}

void Workspace::draw_file_tabs(Rect area) {
    const auto tabs = state_.files.tabs();
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::BeginChild("files", {area.width(), area.height()});
    const std::size_t wanted = active();
    const bool activated = state_.files.take_activated();
    if (ImGui::BeginTabBar("files", ImGuiTabBarFlags_FittingPolicyScroll)) {
        for (std::size_t i = 0; i < tabs.size(); ++i) {
            const ImGuiTabItemFlags flags = activated && i == wanted ? ImGuiTabItemFlags_SetSelected : 0;
            const std::string label = tabs[i].document->title() + "##" + std::to_string(i);
            const bool shown = ImGui::BeginTabItem(label.c_str(), nullptr, flags);
            if (ImGui::GetItemRectMin().x >= area.x0 && ImGui::GetItemRectMax().x <= area.x1) note_label(style_, label);
            if (!shown) continue;
            if (!activated && (!side_by_side() || tabs[i].readable())) state_.files.activate(i);
            ImGui::EndTabItem();
        }
        ImGui::EndTabBar();
    }
    ImGui::EndChild();
}

void Workspace::find_offers() {
    if (!recordings_) recordings_ = recordings_in(find_labs(document().file()));
    offers_ = offers_of(*recordings_, state_.settings.recent, style_.language);
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

std::optional<Action> Workspace::draw_files(Rect area) {
    if (document().none()) {
        const std::string file =
            OffersOverlay::draw_welcome(style_, area.shrunk(0.35F * style_.em), offers_, state_.said);
        if (!file.empty()) take_offer(file);
        return std::nullopt;
    }
    if (!side_by_side()) return one_file_.draw(area);
    area.y0 = rows_.draw_head(area);
    return state_.overlaid ? overlaid_.draw(area) : rows_.draw(area);
}

void Workspace::give_typed() {
    const bool takes = ImGui::GetIO().WantTextInput;
    awaited_ = takes ? 0 : std::max(0, awaited_ - 1);
    if (awaited_ > 0) return;
    for (const unsigned character : std::exchange(typed_, {}))
        if (takes) ImGui::GetIO().AddInputCharacter(character);
}

void Workspace::draw(float width, float height, double seconds) {
    give_typed();
    predicting_.advance(seconds);
    const Rect window{0, 0, width, height};
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin("fiberscope", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    state_.panels.clear();
    const Rect below{0, draw_tabs(width), width, height};
    document().sync();  // a click on a tab shows another document in this very frame
    if (const auto pressed = draw_files(below)) apply(*pressed);
    ImGui::End();
    if (const std::string file = state_.overlays.offers.draw(style_, window, offers_); !file.empty()) take_offer(file);
    if (const auto wish = state_.overlays.palette.draw(style_, window)) apply(*wish);
    if (state_.overlays.help)
        if (const auto action = draw_help(style_, window)) apply(*action);
}

}  // namespace fiberscope::viewer
