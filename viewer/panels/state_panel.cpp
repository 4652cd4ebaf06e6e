#include <algorithm>
#include <cmath>

#include "traces/read/printable.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/trace_facts/locks.h"
#include "viewer/panels/panels.h"

namespace fiberscope::viewer {
namespace {

constexpr float kStateIndent = 0.8F;   // indentation of the tree, in em
constexpr float kSecondLine = 1.6F;    // em: a second line of a row, and a gap below it
constexpr float kLeastWhy = 9.5F;      // em: room for the reason beside a long name
constexpr float kStatePanelLow = 15;   // em: minimum height with caller stacks
constexpr float kStatesUnheaded = 7;   // em: minimum height with a heading
constexpr std::uint32_t kDeepest = 5;  // maximum indentation of the tree

/// A name shortened to fit in bold.
std::string fitting_bold(const Canvas& canvas, float width, const std::string& name) {
    const ImFont* bold = canvas.style().fonts.bold;
    const Metrics metrics{canvas.style().em, [&](std::string_view text) { return canvas.text_width(text, bold); },
                          canvas.style().language};
    return fitting_lane_name(metrics, width + 0.2F * metrics.em, name);
}

/// As many members as fit; the others are counted.
void draw_members(const Canvas& canvas, Rect r, const SetRow& row, Selection& selection) {
    const Style& style = canvas.style();
    const float em = style.em, side = 1.05F * em;
    if (row.members.empty()) canvas.text({r.x0, canvas.text_y(r)}, style.says("none now"), style.colors().dim);
    float x = r.x0;
    for (std::size_t i = 0; i < row.members.size(); ++i) {
        const SetMember& member = row.members[i];
        const std::size_t rest = row.members.size() - i + row.left_out;
        const std::string more = style.says("and {0} more", rest);
        const float width = 1.5F * side + canvas.text_width(member.name);
        const bool last = rest == 1;
        if (x + width + (last ? 0.0F : em + canvas.text_width(more)) > r.x1) {
            canvas.text({x, canvas.text_y(r)}, more, style.colors().dim, nullptr, r.x1 - x);
            return;
        }
        const float y = r.middle_y() - side / 2;
        if (member.co != trace::kNone) canvas.chip({x, y, x + side, y + side}, member.state);
        canvas.text({x + 1.3F * side, canvas.text_y(r)}, member.name, style.colors().text);
        const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({x, r.y0}, {x + width, r.y1});
        if (hovered && member.co != trace::kNone && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
            selection.chosen = member.co;
        x += width + 0.6F * em;
    }
    if (row.left_out != 0)
        canvas.text({x, canvas.text_y(r)}, style.says("and {0} more", row.left_out), style.colors().dim);
}

/// At most `most` lines; a longer text is truncated.
void draw_paragraph(const Canvas& canvas, Rect area, const std::string& text, std::size_t most) {
    const float em = canvas.style().em;
    const Color color = canvas.style().colors().text;
    const auto lines = wrapped(metrics_of(canvas.style()), area.width(), area.width(), text, most);
    if (lines.empty()) canvas.text({area.x0, area.y0}, text, color, nullptr, area.width());
    float y = area.y0;
    for (const std::string& line : lines) {
        canvas.text({area.x0, y}, line, color);
        y += kBriefLine * em;
    }
}

void draw_sets(const Scene& scene, Rect area, Selection& selection) {
    constexpr std::size_t kMostMembers = 24;
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float em = scene.style.em;
    canvas.text({area.x0, area.y0}, scene.style.says("Sets and their members"), colors.text, scene.style.fonts.bold,
                area.width());
    float y = area.y0 + kStateHeading * em;
    const std::vector<SetRow> rows = set_rows(scene.replay, kMostSets, kMostMembers, scene.style.language);
    if (rows.empty())
        canvas.text({area.x0, y}, scene.style.says("none declared yet"), colors.dim, nullptr, area.width());
    for (const SetRow& row : rows) {
        const float name = canvas.text({area.x0, y}, row.name, colors.text, scene.style.fonts.bold, area.width() / 2);
        canvas.text({area.x0 + name + 0.7F * em, y}, row.words, colors.dim, nullptr, area.width() - name - 0.7F * em);
        draw_members(canvas, {area.x0 + 0.4F * em, y + 1.2F * em, area.x1, y + 2.55F * em}, row, selection);
        y += kSetRow * em;
    }
}

/// Lines per row: two if all rows have room for them.
std::size_t lines_for(std::size_t rows, float room, float first, float second) {
    return static_cast<float>(rows) * (first + second) <= room ? 2 : 1;
}

/// "ready: 4, sleeping: 7", if the sets are drawn in their own panel.
void draw_sets_in_short(const Scene& scene, Rect area) {
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float em = scene.style.em;
    canvas.text({area.x0, area.y0}, scene.style.says("Sets: number of members"), colors.text, scene.style.fonts.bold,
                area.width());
    const std::size_t lines = scene.index.sets() > kMostSets ? 2 : 1;
    draw_paragraph(canvas, {area.x0, area.y0 + kStateHeading * em, area.x1, area.y1},
                   sets_that_fit(scene.replay, metrics_of(scene.style), area.width(), lines), lines);
}

void draw_locks(const Scene& scene, Rect area) {
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const float em = scene.style.em;
    const std::vector<LockNow> locks = locks_at(scene.replay, scene.index);
    const std::size_t shown = std::min<std::size_t>(locks.size(), kMostLocks);
    const std::string heading = shown < locks.size()
                                    ? scene.style.says("Locks: holders and waiters ({0} more)", locks.size() - shown)
                                    : scene.style.says("Locks: holders and waiters");
    canvas.text({area.x0, area.y0}, heading, scene.style.colors().text, scene.style.fonts.bold, area.width());
    float y = area.y0 + kStateHeading * em;
    if (locks.empty())
        draw_paragraph(canvas, {area.x0, y, area.x1, area.y1}, scene.style.says("none has been used yet"), 1);
    for (std::size_t i = 0; i < shown; ++i) {
        const std::string name = "'" + trace::printable(scene.replay.trace().text(locks[i].object)) + "'";
        const auto words = [&](std::size_t named) {
            return name + scene.style.says(": {0}",
                                           lock_in_words(scene.replay.trace(), locks[i], scene.style.language, named));
        };
        std::size_t named = 3;
        while (named > 1 && wrapped(metrics_of(scene.style), area.width(), area.width(), words(named), 2).empty())
            --named;
        draw_paragraph(canvas, {area.x0, y, area.x1, area.y1}, words(named), 2);
        y += 2 * kBriefLine * em;
    }
}

/// Width of the names with indentation, measured in the first rows of the tree.
float measure_names(const Scene& scene) {
    constexpr std::size_t kMeasured = 200;
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    float width = 0;
    const auto rows = scene.index.tree();
    for (const TraceIndex::TreeRow& row : rows.first(std::min(kMeasured, rows.size()))) {
        const float before = scene.style.em * (2.0F + kStateIndent * static_cast<float>(std::min(row.depth, kDeepest)));
        width = std::max(width, before + canvas.text_width(scene.replay.trace().name(row.co), scene.style.fonts.bold));
    }
    return width + 0.4F * scene.style.em;
}

}  // namespace

/// The reason, which begins in `area`; a second line begins at `indent`. Uses the short form if it does not fit, or if
/// rows have one line, so that all coroutines of one state have the same text. Returns whether all of it is shown.
bool StatePanel::draw_why(const Canvas& canvas, Rect area, float indent, const StateRow& row, Color color) const {
    const float em = canvas.style().em;
    const Metrics metrics = metrics_of(canvas.style());
    std::vector<std::string> lines;
    if (lines_ > 1) lines = wrapped(metrics, area.width(), area.x1 - indent, row.why, lines_);
    for (std::size_t i = 0; i < lines.size(); ++i)
        canvas.text({i == 0 ? area.x0 : indent, area.y0 + kBriefLine * em * static_cast<float>(i)}, lines[i], color);
    if (!lines.empty()) return true;
    const std::string brief = fitting_sentence(metrics, area.width(), row.brief, true);
    const std::string state =
        row.exists ? canvas.style().says(look(row.state, row.idle, canvas.style().theme).word) : row.brief;
    canvas.text({area.x0, area.y0}, brief.empty() ? state : brief, color, nullptr, area.width());
    return false;
}

void StatePanel::tree_row(const Scene& scene, const trace::Places& places, std::size_t n, float name_width,
                          Selection& selection) {
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float em = scene.style.em, line = line_height_, height = line + (lines_ > 1 ? kSecondLine * em : 0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect all{at.x, at.y, at.x + ImGui::GetContentRegionAvail().x, at.y + height},
        r{all.x0, all.y0, all.x1, at.y + line};
    const StateRow words = state_row(scene.replay, scene.index, places, n, scene.style.language);
    ImGui::PushID(static_cast<int>(n));
    if (ImGui::InvisibleButton("co", {all.width(), height})) {
        selection.chosen = words.co;
        last_chosen_ = words.co;
    }
    ImGui::PopID();
    if (ImGui::IsItemHovered()) canvas.fill(all, colors.control);
    if (selection.chosen == words.co) {
        canvas.fill(all, colors.chosen.with_alpha(38));
        canvas.frame(all, colors.chosen, 2);
    }
    const float step = kStateIndent * em;
    float x = r.x0 + 0.3F * em + step * static_cast<float>(std::min(words.depth, kDeepest));
    if (words.depth > 0) {
        canvas.line({x - 0.55F * step, r.y0}, {x - 0.55F * step, r.middle_y()}, colors.dim);
        canvas.line({x - 0.55F * step, r.middle_y()}, {x - 0.1F * em, r.middle_y()}, colors.dim);
    }
    const float side = line - 0.3F * em;
    if (words.exists)
        canvas.chip({x, r.y0 + 0.15F * em, x + side, r.y0 + 0.15F * em + side},
                    look(words.state, words.idle, scene.style.theme));
    x += side + 0.4F * em;
    const float y = canvas.text_y(r);
    const Color ink = words.exists ? colors.text : colors.dim;
    const std::string name = fitting_bold(canvas, r.x0 + name_width - x, words.name);
    canvas.text({x, y}, name, ink, scene.style.fonts.bold);
    // Aligned after the names; if it does not fit there, directly after its own name.
    const float name_end = x + canvas.text_width(name, scene.style.fonts.bold) + 0.7F * em;
    float why_x = std::max(r.x0 + name_width + 0.4F * em, x + 2 * em);
    if (lines_ == 1 && canvas.text_width(words.brief) > r.x1 - why_x - 0.2F * em) why_x = std::min(why_x, name_end);
    const Color tone = words.state == trace::State::running && words.exists ? colors.text : colors.dim;
    const bool whole = draw_why(canvas, {why_x, y, r.x1 - 0.2F * em, all.y1}, x, words, tone);
    if (ImGui::IsItemHovered() && !whole) ImGui::SetTooltip("%s %s", words.name.c_str(), words.why.c_str());
}

std::size_t StatePanel::draw_tree(const Scene& scene, Rect area, Selection& selection) {
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    line_height_ = std::floor(kStateRow * scene.style.em);
    const auto rows = scene.index.tree();
    lines_ = lines_for(rows.size(), area.height(), line_height_, kSecondLine * scene.style.em);
    const float height = line_height_ + (lines_ > 1 ? kSecondLine * scene.style.em : 0);
    const float whole_rows = height * std::max(1.0F, std::floor(area.height() / height));  // whole rows only
    ImGui::BeginChild("tree", {area.width(), whole_rows}, false, ImGuiWindowFlags_NoNav);
    if (selection.chosen != last_chosen_) {
        last_chosen_ = selection.chosen;
        const auto place =
            std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.co == selection.chosen; });
        const float y = height * static_cast<float>(place - rows.begin());
        const bool hidden = y < ImGui::GetScrollY() || y + height > ImGui::GetScrollY() + ImGui::GetWindowHeight();
        if (place != rows.end() && hidden) ImGui::SetScrollY(std::max(0.0F, y - ImGui::GetWindowHeight() / 2));
    }
    const float at_row = height * std::floor(ImGui::GetScrollY() / height);
    if (at_row != ImGui::GetScrollY() && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) ImGui::SetScrollY(at_row);
    if (name_width_ == 0) name_width_ = measure_names(scene);
    const float names = std::min(name_width_, std::max(0.5F * area.width(), area.width() - kLeastWhy * scene.style.em));
    const trace::Places places(scene.replay);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()), height);
    while (clipper.Step())
        for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n)
            tree_row(scene, places, static_cast<std::size_t>(n), names, selection);
    clipper.End();
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return static_cast<std::size_t>(whole_rows / height + 0.5F);
}

void StatePanel::draw(const Scene& scene, Rect area, Selection& selection, bool brief) {
    const float em = scene.style.em, sets = sets_height(scene.index, em, brief), locks = locks_height(scene.index, em);
    const bool low = area.height() < kStatePanelLow * em, headed = area.height() >= kStatesUnheaded * em;
    Rect content =
        begin_panel("states", area, scene.style, low ? "" : caller_stacks_heading(scene, area.width() - 0.6F * em));
    if (!low) content.y0 += draw_caller_stacks(scene, content, selection) + 0.5F * em;
    const Rect heading = content;
    if (headed) content.y0 += kStateHeading * em;
    const auto take = [&](float height, const auto& draw_part) {
        if (height <= 0 || content.height() < height + 3 * em) return;
        content.y1 -= height;
        draw_part(Rect{content.x0, content.y1 + 0.4F * em, content.x1, content.y1 + height});
    };
    take(sets, [&](Rect r) { brief ? draw_sets_in_short(scene, r) : draw_sets(scene, r, selection); });
    take(locks, [&](Rect r) { draw_locks(scene, r); });
    const std::size_t shown = content.height() > em ? draw_tree(scene, content, selection) : 0;
    if (headed)
        draw_heading(Canvas(ImGui::GetWindowDrawList(), scene.style), heading,
                     scene.style.says("Coroutines: state, and why"),
                     shown_of_all(scene.style, shown, scene.index.tree().size()));
    end_panel();
}

}  // namespace fiberscope::viewer
