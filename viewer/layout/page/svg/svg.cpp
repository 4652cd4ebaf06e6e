#include "viewer/layout/page/svg/svg.h"

#include <algorithm>
#include <array>

#include "viewer/layout/page/legend.h"
#include "viewer/layout/page/svg/svg_page.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

class Svg : SvgPage {
  public:
    explicit Svg(const SvgRequest& request) : SvgPage(request) {}

    std::string picture() {
        begin();
        const float margin = kMargin * em_;
        const std::array sources{LegendSource{&request_.replay.trace(), &request_.index}};
        const Legend legend =
            layout_legend(sources, request_.width - 2 * margin, rough_metrics(em_, request_.language));
        const Rect area{margin, kHead * em_, request_.width - margin, request_.height - legend.height - 2 * margin};
        timeline(layout_timeline(
            {request_.replay, request_.index, request_.selection, area, rough_metrics(em_, request_.language)}));
        explain(legend, {margin, area.y1 + margin, area.x1, request_.height});
        return finished();
    }

  private:
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
        ready(timeline);
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
    void ready(const Timeline& timeline) {
        const Plot& plot = timeline.ready;
        if (plot.rect.empty()) return;
        for (const PlotColumn& column : plot.columns) {
            rect({column.x0, column.high, column.x1, plot.rect.y1}, colors_.line);
            rect({column.x0, column.low, column.x1, plot.rect.y1}, colors_.dim);
        }
        const float y = plot.rect.middle_y() + 0.35F * em_;
        text({timeline.names.x0, y}, plot.name, colors_.text, " font-weight=\"bold\"");
        text({timeline.names.x1 - 0.4F * em_, y}, plot.words, colors_.dim, " text-anchor=\"end\"");
    }
    void zone(const Zone& zone) {
        if (zone.merged) {
            for (const ShareBar& bar : share_bars(zone, request_.theme)) rect(bar.rect, bar.look->fill);
            return;
        }
        const Look& its = look(zone.state, zone.idle, request_.theme);
        Rect r = zone.rect;
        r.x1 = std::max(r.x1, r.x0 + 1);
        rect(r, its.fill, " stroke=\"" + svg_color(colors_.panel) + "\" stroke-width=\"0.5\"");
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
        const float size = 0.25F * em_;
        line({arrow.x, arrow.y0}, {arrow.x, arrow.y1}, color, arrow.at_playhead ? 1.5F : 0.7F);
        head(arrow.x, arrow.y0, arrow.y1, size, color);
    }

    void explain(const Legend& legend, Rect area) {
        for (const LegendItem& item : legend.items) {
            const Rect sign{area.x0 + item.place.x0, area.y0 + item.place.y0, area.x0 + item.place.x1,
                            area.y0 + item.place.y1};
            const bool drawn = item.sign == LegendSign::state || item.sign == LegendSign::idle;
            if (!drawn) continue;
            const Look& its = look(item.state, item.idle, request_.theme);
            const float y = sign.middle_y() + 0.35F * em_;
            rect(sign, its.fill, " stroke=\"" + svg_color(colors_.line) + "\"");
            text({sign.middle_x(), y}, its.letter, its.ink, " text-anchor=\"middle\"");
            text({sign.x1 + 0.35F * em_, y}, item.word, colors_.text);
        }
    }
};

}  // namespace

std::string svg_of(const SvgRequest& request) { return Svg(request).picture(); }

}  // namespace fiberscope::viewer
