#include "viewer/layout/page/svg.h"

#include <array>
#include <cstdio>

#include "viewer/layout/page/legend.h"
#include "viewer/layout/timeline/timeline.h"
#include "viewer/layout/words/sentence.h"

namespace fiberscope::viewer {
namespace {

/// A letter is so wide, in em: fonts of those who look at the picture differ.
constexpr float kLetter = 0.6F;
constexpr float kMargin = 0.8F, kHead = 6.0F;  // em

Metrics rough_metrics(float em) {
    return {em, [em](std::string_view text) {
                std::size_t letters = 0;
                for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0U) == 0x80U ? 0 : 1;
                return kLetter * em * static_cast<float>(letters);
            }};
}

std::string number(float value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(value));
    return text.data();
}

std::string hex(Color c) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", c.r, c.g, c.b);
    return text.data();
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
    }
    return out;
}

class Svg {
  public:
    explicit Svg(const SvgRequest& request) : request_(request), colors_(palette(request.theme)), em_(request.em) {
        out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(request.width) + "\" height=\"" +
               number(request.height) + "\" font-family=\"DejaVu Sans, Noto Sans CJK SC, sans-serif\" font-size=\"" +
               number(em_) + "\">\n";
    }

    std::string picture() {
        rect({0, 0, request_.width, request_.height}, colors_.panel);
        head();
        const float margin = kMargin * em_;
        const std::array sources{LegendSource{&request_.replay.trace(), &request_.index}};
        const Legend legend = layout_legend(sources, request_.width - 2 * margin, rough_metrics(em_));
        const Rect area{margin, kHead * em_, request_.width - margin, request_.height - legend.height - 2 * margin};
        timeline(layout_timeline({request_.replay, request_.index, request_.selection, area, rough_metrics(em_)}));
        explain(legend, {margin, area.y1 + margin, area.x1, request_.height});
        return out_ + "</svg>\n";
    }

  private:
    void rect(Rect r, Color fill, const std::string& more = "") {
        if (r.empty()) return;
        out_ += "<rect x=\"" + number(r.x0) + "\" y=\"" + number(r.y0) + "\" width=\"" + number(r.width()) +
                "\" height=\"" + number(r.height()) + "\" fill=\"" + hex(fill) + "\"" + more + "/>\n";
    }
    void line(Point a, Point b, Color color, float width) {
        out_ += "<line x1=\"" + number(a.x) + "\" y1=\"" + number(a.y) + "\" x2=\"" + number(b.x) + "\" y2=\"" +
                number(b.y) + "\" stroke=\"" + hex(color) + "\" stroke-width=\"" + number(width) + "\"/>\n";
    }
    void text(Point at, std::string_view words, Color color, const std::string& more = "") {
        if (words.empty()) return;
        out_ += "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" fill=\"" + hex(color) + "\"" + more + ">" +
                escaped(words) + "</text>\n";
    }

    void head() {
        const float x = kMargin * em_;
        const Sentence words = sentence_at(request_.replay, request_.index, request_.selection);
        text({x, 1.4F * em_}, title_line(request_.replay.trace()), colors_.dim);
        text({x, 3.0F * em_}, words.where + "   " + words.happened, colors_.text, " font-weight=\"bold\"");
        text({x, 4.6F * em_}, words.why, colors_.text);
    }

    void timeline(const Timeline& timeline) {
        for (const Lane& lane : timeline.lanes) {
            if (lane.rect.y1 > timeline.lanes_area.y1 + 1) continue;
            rect({timeline.names.x0, lane.rect.y0, lane.rect.x1, lane.rect.y1},
                 lane.odd ? colors_.lane_other : colors_.lane);
            const float y = lane.rect.middle_y() + 0.35F * em_;
            text({timeline.names.x0, y}, lane.name, colors_.text, lane.machine ? " font-weight=\"bold\"" : "");
            text({timeline.names.x1 - 0.4F * em_, y}, lane.note, colors_.dim, " text-anchor=\"end\"");
        }
        axis(timeline);
        for (const Zone& zone : timeline.zones)
            if (zone.rect.y1 <= timeline.lanes_area.y1 + 1) this->zone(zone);
        for (const Arrow& arrow : timeline.arrows) this->arrow(arrow, timeline);
        if (timeline.playhead_x < timeline.lanes_area.x0 || timeline.playhead_x > timeline.lanes_area.x1) return;
        line({timeline.playhead_x, timeline.ruler.y0}, {timeline.playhead_x, timeline.lanes_area.y1}, colors_.playhead,
             2);
    }
    void axis(const Timeline& timeline) {
        for (const Tick& tick : timeline.ticks) {
            if (tick.label.empty()) continue;
            const float x = timeline.scale.x(tick.t);
            line({x, timeline.ruler.y1 - 0.4F * em_}, {x, timeline.lanes_area.y1}, colors_.line, 0.7F);
            text({x, timeline.ruler.y0 + em_}, tick.label, colors_.dim, " text-anchor=\"middle\"");
        }
    }
    void zone(const Zone& zone) {
        if (zone.merged != 0) {
            rect(zone.rect, colors_.mixed);
            Rect running = zone.rect;
            running.y0 = running.y1 - running.height() * zone.running_share;
            return rect(running, look(trace::State::running, request_.theme).fill);
        }
        const Look& its = look(zone.state, zone.idle, request_.theme);
        Rect r = zone.rect;
        r.x1 = std::max(r.x1, r.x0 + 1);
        rect(r, its.fill, " stroke=\"" + hex(colors_.panel) + "\" stroke-width=\"0.5\"");
        const float y = r.middle_y() + 0.35F * em_;
        if (zone.on_machine)
            text({r.middle_x(), y}, zone.text, its.ink, " text-anchor=\"middle\"");
        else
            text({zone.text_x, y}, zone.text, its.ink);
    }
    void arrow(const Arrow& arrow, const Timeline& timeline) {
        const auto inside = [&](float y) { return y >= timeline.lanes_area.y0 && y <= timeline.lanes_area.y1; };
        if (arrow.merged || !inside(arrow.y0) || !inside(arrow.y1)) return;
        const Color color = arrow.at_playhead ? colors_.playhead : colors_.arrow;
        const float size = 0.25F * em_, down = arrow.y1 > arrow.y0 ? 1.0F : -1.0F;
        line({arrow.x, arrow.y0}, {arrow.x, arrow.y1}, color, arrow.at_playhead ? 1.5F : 0.7F);
        out_ += "<path d=\"M" + number(arrow.x) + " " + number(arrow.y1) + "l" + number(-size) + " " +
                number(-1.6F * down * size) + "h" + number(2 * size) + "z\" fill=\"" + hex(color) + "\"/>\n";
    }

    void explain(const Legend& legend, Rect area) {
        for (const LegendItem& item : legend.items) {
            const Rect sign{area.x0 + item.place.x0, area.y0 + item.place.y0, area.x0 + item.place.x1,
                            area.y0 + item.place.y1};
            const bool drawn = item.sign == LegendSign::state || item.sign == LegendSign::idle;
            if (!drawn) continue;
            const Look& its = look(item.state, item.idle, request_.theme);
            const float y = sign.middle_y() + 0.35F * em_;
            rect(sign, its.fill, " stroke=\"" + hex(colors_.line) + "\"");
            text({sign.middle_x(), y}, its.letter, its.ink, " text-anchor=\"middle\"");
            text({sign.x1 + 0.35F * em_, y}, item.word, colors_.text);
        }
    }

    const SvgRequest& request_;
    const Palette& colors_;
    float em_;
    std::string out_;
};

}  // namespace

std::string svg_of(const SvgRequest& request) { return Svg(request).picture(); }

}  // namespace fiberscope::viewer
