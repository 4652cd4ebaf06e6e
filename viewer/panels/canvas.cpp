#include "viewer/panels/canvas.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

constexpr float kCanvasBold = 1.15F;  // width of bold text relative to normal text, at most

ImVec2 low(Rect r) { return {r.x0, r.y0}; }
ImVec2 high(Rect r) { return {r.x1, r.y1}; }

ImFont* mutable_font(const ImFont* font) { return const_cast<ImFont*>(font); }

ImVec2 measure(const ImFont* font, std::string_view text) {
    return mutable_font(font)->CalcTextSizeA(size_of(font), 1e9F, 0, text.data(), text.data() + text.size());
}

/// Parallel lines x + slope * y = c within `r`, `step` apart, aligned across the whole screen.
void diagonals(ImDrawList* list, Rect r, float slope, float step, ImU32 color) {
    const float a = r.x0 + std::min(slope * r.y0, slope * r.y1), b = r.x1 + std::max(slope * r.y0, slope * r.y1);
    for (float c = std::ceil(a / step) * step; c < b; c += step) {
        float y_left = (c - r.x0) / slope, y_right = (c - r.x1) / slope;
        if (y_left > y_right) std::swap(y_left, y_right);
        const float y0 = std::max(r.y0, y_left), y1 = std::min(r.y1, y_right);
        if (y0 < y1) list->AddLine({c - slope * y0, y0}, {c - slope * y1, y1}, color);
    }
}

void uprights(ImDrawList* list, Rect r, float step, ImU32 color) {
    for (float x = std::ceil(r.x0 / step) * step; x < r.x1 - 1; x += step) list->AddLine({x, r.y0}, {x, r.y1}, color);
}

void levels(ImDrawList* list, Rect r, float step, ImU32 color) {
    for (float y = r.y0 + step / 2; y < r.y1; y += step) list->AddLine({r.x0, y}, {r.x1, y}, color);
}

void dots(ImDrawList* list, Rect r, float step, ImU32 color) {
    const float size = std::max(1.0F, step / 6);
    for (float y = r.y0 + step / 2; y < r.y1 - size; y += step)
        for (float x = std::ceil(r.x0 / step) * step; x < r.x1 - size; x += step)
            list->AddRectFilled({x, y}, {x + size, y + size}, color);
}

/// Short horizontal dashes, alternate rows shifted by half a dash.
void dashes(ImDrawList* list, Rect r, float step, ImU32 color) {
    bool moved = false;
    for (float y = r.y0 + step / 2; y < r.y1 - 1; y += step, moved = !moved)
        for (float x = std::floor(r.x0 / (2 * step)) * 2 * step + (moved ? step : 0); x < r.x1; x += 2 * step) {
            const float from = std::max(r.x0, x), to = std::min(r.x1, x + step);
            if (from < to) list->AddLine({from, y}, {to, y}, color);
        }
}

/// A zigzag line over the whole height.
void zigzag(ImDrawList* list, Rect r, float step, ImU32 color) {
    list->PushClipRect(low(r), high(r), true);
    for (float x = std::floor(r.x0 / (2 * step)) * 2 * step; x < r.x1; x += 2 * step) {
        list->AddLine({x, r.y1}, {x + step, r.y0}, color);
        list->AddLine({x + step, r.y0}, {x + 2 * step, r.y1}, color);
    }
    list->PopClipRect();
}

}  // namespace

void note_written(const Style& style, Rect place, std::string_view text, bool cut) {
    if (style.written == nullptr) return;
    const ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 low = list->GetClipRectMin(), high = list->GetClipRectMax();
    const std::string_view window = list->_OwnerName == nullptr ? "" : list->_OwnerName;
    style.written->push_back({place,
                              {low.x, low.y, high.x, high.y},
                              std::string(text),
                              cut,
                              std::string(window.substr(0, window.find('/'))),
                              ImGui::GetScrollMaxY() > 0 || ImGui::GetScrollMaxX() > 0});
}

float size_of(const ImFont* font) noexcept {
#if IMGUI_VERSION_NUM >= 19200
    return font->LegacySize;
#else
    return font->FontSize;
#endif
}

void Canvas::fill(Rect r, Color color, float rounding) const {
    if (!r.empty()) list_->AddRectFilled(low(r), high(r), packed(color), rounding);
}

void Canvas::frame(Rect r, Color color, float thickness) const {
    if (!r.empty()) list_->AddRect(low(r), high(r), packed(color), 0, 0, thickness);
}

void Canvas::line(Point a, Point b, Color color, float thickness) const {
    list_->AddLine(vec(a), vec(b), packed(color), thickness);
}

void Canvas::pattern(Rect r, Pattern pattern, Color ink) const {
    const float step = 0.42F * style_.em;
    const ImU32 color = packed(ink.with_alpha(64));
    switch (pattern) {
    case Pattern::solid: break;
    case Pattern::rising: diagonals(list_, r, 1, 1.5F * step, color); break;
    case Pattern::falling: diagonals(list_, r, -1, 1.5F * step, color); break;
    case Pattern::level: levels(list_, r, step, color); break;
    case Pattern::upright: uprights(list_, r, step, color); break;
    case Pattern::grid:
        uprights(list_, r, step, color);
        levels(list_, r, step, color);
        break;
    case Pattern::dots: dots(list_, r, step, packed(ink.with_alpha(120))); break;
    case Pattern::dashes: dashes(list_, r, step, packed(ink.with_alpha(110))); break;
    case Pattern::middle:
        list_->AddLine({r.x0, r.middle_y()}, {r.x1, r.middle_y()}, packed(ink.with_alpha(110)));
        break;
    case Pattern::rails:
        for (const float part : {0.2F, 0.8F}) {
            const float y = r.y0 + part * r.height();
            list_->AddLine({r.x0, y}, {r.x1, y}, packed(ink.with_alpha(120)));
        }
        break;
    case Pattern::posts: uprights(list_, r, 2 * step, packed(ink.with_alpha(120))); break;
    case Pattern::zigzag: zigzag(list_, r, step, packed(ink.with_alpha(120))); break;
    case Pattern::cross:
        diagonals(list_, r, 1, 2 * step, color);
        diagonals(list_, r, -1, 2 * step, color);
        break;
    }
}

void Canvas::fill_state(Rect r, trace::State state) const { fill_look(r, look(state, style_.theme)); }

void Canvas::fill_look(Rect r, const Look& its) const {
    fill(r, its.fill);
    if (r.width() >= 3) pattern(r, its.pattern, its.ink);
}

void Canvas::chip(Rect r, trace::State state) const { chip(r, look(state, style_.theme)); }

void Canvas::chip(Rect r, const Look& its) const {
    fill_look(r, its);
    frame(r, style_.colors().line);
    text_in(r, its.letter, its.ink, style_.fonts.bold);
}

void Canvas::text_at_right(Rect r, std::string_view text, Color color, const ImFont* font) const {
    const float width = std::min(text_width(text, font), r.width());
    this->text({r.x1 - width, text_y(r, font)}, text, color, font, r.width());
}

float Canvas::text_width(std::string_view text, const ImFont* font) const {
    return measure(font == nullptr ? style_.fonts.text : font, text).x;
}

float Canvas::text_y(Rect r, const ImFont* font) const {
    return std::round(r.middle_y() - size_of(font == nullptr ? style_.fonts.text : font) / 2);
}

float Canvas::text(Point at, std::string_view text, Color color, const ImFont* font, float max_width) const {
    if (font == nullptr) font = style_.fonts.text;
    const float width = measure(font, text).x;
    const Metrics metrics{style_.em, [font](std::string_view part) { return measure(font, part).x; }, style_.language};
    const std::string shown = width <= max_width ? std::string(text) : fitting_beginning(metrics, max_width, text);
    if (max_width > style_.em)
        list_->AddText(mutable_font(font), size_of(font), {std::round(at.x), std::round(at.y)}, packed(color),
                       shown.data(), shown.data() + shown.size());
    if (!text.empty())
        note_written(style_, {at.x, at.y, at.x + std::min(width, max_width), at.y + size_of(font)}, text,
                     shown != text || max_width <= style_.em);
    return std::min(width, max_width);
}

void Canvas::text_in(Rect r, std::string_view text, Color color, const ImFont* font) const {
    const float width = std::min(text_width(text, font), r.width());
    this->text({r.middle_x() - width / 2, text_y(r, font)}, text, color, font, std::max(r.width(), style_.em + 1));
}

Rect begin_panel(const char* id, Rect r, const Style& style, std::string_view heading, ImGuiWindowFlags flags) {
    ImGui::SetCursorScreenPos({r.x0, r.y0});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, packed(style.colors().panel));
    ImGui::BeginChild(
        id, {r.width(), r.height()}, false,
        flags | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
    Rect content = r.shrunk(0.3F * style.em);
    if (!heading.empty()) {
        draw_heading(Canvas(ImGui::GetWindowDrawList(), style), content, heading);
        content.y0 += kHeading * style.em;
    }
    return content;
}

std::string shown_of_all(const Style& style, std::size_t shown, std::size_t all) {
    return shown < all ? style.says(mark("{0} of {1}", "shown"), shown, all) : std::string();
}

void draw_heading(const Canvas& canvas, Rect r, std::string_view heading, const std::string& count) {
    const Style& style = canvas.style();
    const float counted = canvas.text_width(count);
    canvas.text({r.x1 - counted, r.y0}, count, style.colors().dim);
    const float room = r.width() - (count.empty() ? 0 : counted + 0.6F * style.em);
    std::string words(heading);  // "Caller stack" of "Caller stack: each resumed the one above"
    if (canvas.text_width(words, style.fonts.bold) > room)
        if (std::string part = fitting_sentence(metrics_of(style), room / kCanvasBold, words, true); !part.empty())
            words = std::move(part);
    canvas.text({r.x0, r.y0}, words, style.colors().text, style.fonts.bold, room);
}

void end_panel() {
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

}  // namespace fiberscope::viewer
