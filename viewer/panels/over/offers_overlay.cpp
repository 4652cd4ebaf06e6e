#include "viewer/panels/over/offers_overlay.h"

#include <algorithm>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/page/frame.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

constexpr std::string_view kProgram = "fiberscope";

/// Description of a file, without its first folders if it does not fit.
std::string about_in(const Metrics& metrics, const std::string& about, float room) {
    if (metrics.width(about) <= room) return about;
    for (auto slash = about.find('/', 1); slash != std::string::npos; slash = about.find('/', slash + 1))
        if (std::string rest = "…" + about.substr(slash); metrics.width(rest) <= room) return rest;
    return fitting_sentence(metrics, room, about, true);
}

std::string draw_offers(const Style& style, Rect area, const std::vector<OfferGroup>& groups) {
    const Metrics metrics = metrics_of(style);
    std::string clicked;
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::BeginChild("offers", {area.width(), area.height()});
    const OfferPage page = layout_offers(area.width() - ImGui::GetStyle().ScrollbarSize, groups, metrics);
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const auto placed = [&](Rect r) { return Rect{at.x + r.x0, at.y + r.y0, at.x + r.x1, at.y + r.y1}; };
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Rect heading = placed(page.headings[i]);
        canvas.text({heading.x0, canvas.text_y(heading)}, groups[i].heading, style.colors().text, style.fonts.bold,
                    heading.width());
    }
    for (const OfferPage::Place& place : page.places) {
        const Offer& offer = groups[place.group].offers[place.offer];
        const Rect name = placed(place.name), about = placed(place.about);
        ImGui::SetCursorScreenPos({name.x0, name.y0});
        if (button(style, place.text + "##" + std::to_string(place.group) + offer.file, {name.width(), name.height()}))
            clicked = offer.file;
        if (!place.about.empty())
            canvas.text({about.x0, canvas.text_y(about)}, about_in(metrics, offer.about, about.width()),
                        style.colors().dim, nullptr, about.width());
    }
    ImGui::SetCursorPosY(page.height);
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
    return clicked;
}

}  // namespace

std::string OffersOverlay::draw(const Style& style, Rect area, const std::vector<OfferGroup>& groups) {
    if (!open_) return {};
    const float em = style.em, width = std::min(area.width() - 3 * em, 86 * em);
    const float page = layout_offers(width, groups, metrics_of(style)).height;
    const float height = std::min(area.height() - 5 * em, std::max(page, em) + 4 * em);
    begin_over("recent", style, {area.middle_x() - width / 2, area.y0 + 3 * em}, width, height);
    words(style, style.says(groups.empty() ? mark("No recent files.") : mark("Open in a tab:")));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    std::string clicked =
        draw_offers(style, {at.x, at.y, at.x + width, at.y + ImGui::GetContentRegionAvail().y}, groups);
    ImGui::End();
    if (!clicked.empty()) close();
    return clicked;
}

std::string OffersOverlay::draw_welcome(const Style& style, Rect area, const std::vector<OfferGroup>& groups,
                                        const std::string& said) {
    const float em = style.em;
    const Rect inner = begin_panel("welcome", area, style, "").shrunk(0.6F * em);
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const Rect title{inner.x0, inner.y0, inner.x1, inner.y0 + 2 * em};
    canvas.text({title.x0, title.y0}, kProgram, style.colors().text, style.fonts.large, title.width());
    ImGui::SetCursorScreenPos({title.x0, title.y1});
    const Text words = is_small(area, em)
                           ? mark("Choose a recording to replay it.")
                           : mark("Choose a recording to replay it, or drop its file here. ? shows all keys.");
    paragraph(style, said.empty() ? style.says(words) : said, style.colors().text, inner.width());
    const float top = ImGui::GetCursorScreenPos().y + 0.6F * em;
    std::string clicked = draw_offers(style, {inner.x0, top, inner.x1, inner.y1}, groups);
    end_panel();
    return clicked;
}

}  // namespace fiberscope::viewer
