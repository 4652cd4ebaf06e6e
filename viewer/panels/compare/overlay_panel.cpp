#include "viewer/panels/compare/overlay_panel.h"

#include <algorithm>
#include <cmath>

#include "viewer/panels/timeline_panel.h"

namespace fiberscope::viewer {

using trace::kNone;

std::optional<OverlayDeed> OverlayPanel::handle_mouse(std::span<const OverlayFile> files, std::size_t leader,
                                                      float em) {
    const ImGuiIO& io = ImGui::GetIO();
    const Point mouse{io.MousePos.x, io.MousePos.y};
    OverlayDeed deed{leader, files[leader].selection};
    Selection& selection = deed.selection;
    const std::uint64_t end = axis_end(files[leader].index, selection);
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        if (io.KeyShift || mouse.x < drawn_.names.x1) {
            scroll_ = std::max(0.0F, drawn_.scroll / drawn_.row_height - 2 * io.MouseWheel);
            return std::nullopt;
        }
        selection.visible =
            zoomed(selection.visible, drawn_.scale.t(mouse.x), std::pow(0.8, static_cast<double>(io.MouseWheel)), end);
        return deed;
    }
    if (!ImGui::IsItemActive()) return std::nullopt;
    if (ImGui::IsItemActivated()) {
        for (const DifferenceLane& lane : drawn_.differences)
            if (!deed.difference) deed.difference = lane.at(mouse, em);
        on_difference_ = deed.difference.has_value();
        if (on_difference_) return deed;
    }
    if (on_difference_) return std::nullopt;
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        if (io.MouseDelta.x == 0) return std::nullopt;
        selection.visible =
            panned(selection.visible, -static_cast<double>(io.MouseDelta.x) * drawn_.scale.ns_per_px(), end);
        return deed;
    }
    const OverlayBand* band = drawn_.band_at(mouse);
    if (band == nullptr && mouse.y >= drawn_.lanes_area.y0) return std::nullopt;
    if (band != nullptr) deed = {band->file, files[band->file].selection};
    if (ImGui::IsItemActivated() && band != nullptr && !band->machine && band->id != kNone) selection.chosen = band->id;
    if (mouse.x >= drawn_.names.x1) {
        const TimeScale scale{files[deed.file].selection.visible, drawn_.scale.x0, drawn_.scale.x1};
        const double t = std::max(0.0, scale.t(std::clamp(mouse.x, scale.x0, scale.x1)));
        selection.playhead = files[deed.file].replay.index_at_time(static_cast<std::uint64_t>(t));
        if (selection.moment) selection.moment = std::min(t, static_cast<double>(end));
    }
    return deed;
}

void OverlayPanel::draw_rows(const Canvas& canvas) const {
    const Palette& colors = canvas.style().colors();
    const float em = canvas.style().em;
    for (const OverlayRow& row : drawn_.rows) {
        const Rect whole{row.name_rect.x0, row.name_rect.y0, row.rect.x1, row.name_rect.y1};
        canvas.fill(whole, row.odd ? colors.lane_other : colors.lane);
        if (row.chosen) canvas.fill(whole, colors.chosen.with_alpha(38));
    }
    for (const OverlayBand& band : drawn_.bands) shade_differences(canvas, drawn_.differences[band.file], band.rect);
    draw_stretches(canvas, drawn_.drawing);
    for (const OverlayRow& row : drawn_.rows) {
        const Rect whole{row.name_rect.x0, row.name_rect.y0, row.rect.x1, row.name_rect.y1};
        canvas.text({row.name_rect.x0 + 0.3F * em, canvas.text_y(row.name_rect)}, row.name, colors.text, nullptr,
                    row.name_rect.width() - 1.2F * em);
        if (row.chosen) canvas.frame(whole, colors.chosen, 2);
    }
    for (const OverlayBand& band : drawn_.bands) {
        canvas.text({band.rect.x0 - 0.8F * em, canvas.text_y(band.rect)}, band.number, colors.dim);
        if (band.playhead >= 0)
            canvas.fill({band.playhead - 1, band.rect.y0, band.playhead + 1, band.rect.y1}, colors.playhead);
        if (band.id == kNone)
            canvas.line({band.rect.x0, band.rect.middle_y()}, {band.rect.x1, band.rect.middle_y()}, colors.line);
    }
}

std::optional<OverlayDeed> OverlayPanel::draw(const Style& style, std::span<const OverlayFile> files,
                                              const std::vector<OverlayMatch>& matches, std::size_t leader, Rect area,
                                              bool folds) {
    const Rect content = begin_panel("overlay", area, style, "");
    const Metrics metrics = metrics_of(style);
    drawn_ = layout_overlay(files, matches, leader, content, metrics, scroll_, folds);
    scroll_ = drawn_.scroll / std::max(1.0F, drawn_.row_height);
    ImGui::SetCursorScreenPos({content.x0, content.y0});
    ImGui::InvisibleButton(
        "rows", {content.width(), content.height()},
        ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
    const auto deed = handle_mouse(files, leader, style.em);
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    draw_axis(canvas, drawn_.drawing);
    for (const DifferenceLane& lane : drawn_.differences) draw_differences(canvas, lane);
    ImGui::GetWindowDrawList()->PushClipRect({content.x0, drawn_.lanes_area.y0}, {content.x1, drawn_.lanes_area.y1},
                                             true);
    draw_rows(canvas);
    ImGui::GetWindowDrawList()->PopClipRect();
    const Range& axis = files[leader].selection.visible;
    const bool one_axis = std::all_of(files.begin(), files.end(), [&](const OverlayFile& file) {
        return file.selection.visible.from == axis.from && file.selection.visible.to == axis.to;
    });
    canvas.text({content.x0, drawn_.ruler.y0}, one_axis ? style.says("time") : style.says("time of {0}", leader + 1),
                one_axis ? style.colors().dim : style.colors().text);
    end_panel();
    return deed;
}

std::optional<OverlayDeed> draw_sets_strip(const Style& style, std::span<const OverlayFile> files, Rect area) {
    const Rect r = begin_panel("sets strip", area, style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const Palette& colors = style.colors();
    const SetsStrip strip = layout_sets_strip(files, r, metrics_of(style));
    std::optional<OverlayDeed> deed;
    for (const auto& [rect, name] : strip.heads)
        canvas.text({rect.x0, canvas.text_y(rect)}, name, colors.text, style.fonts.bold, rect.width());
    for (const auto& [rect, name] : strip.files)
        canvas.text({rect.x0, canvas.text_y(rect)}, name, colors.text, style.fonts.bold, rect.width());
    for (std::size_t f = 0; f < strip.cells.size(); ++f)
        for (const StripCell& cell : strip.cells[f]) {
            canvas.text({cell.rect.x0, canvas.text_y(cell.rect)}, cell.count, colors.text, nullptr, cell.rect.width());
            if (!cell.more.empty()) canvas.text({cell.more_at.x, canvas.text_y(cell.rect)}, cell.more, colors.dim);
            for (const StripMember& member : cell.members) {
                canvas.chip(member.rect, member.state);
                canvas.text({member.rect.x1 + 0.3F * style.em, canvas.text_y(cell.rect)}, member.name, colors.text);
                const bool over = ImGui::IsWindowHovered() &&
                                  ImGui::IsMouseHoveringRect({member.rect.x0, member.rect.y0},
                                                             {member.rect.x1 + 3 * style.em, member.rect.y1});
                if (!over || member.co == kNone || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) continue;
                deed = {f, files[f].selection};
                deed->selection.chosen = member.co;
            }
        }
    end_panel();
    return deed;
}

}  // namespace fiberscope::viewer
