#include "viewer/layout/page/svg/sets_svg.h"

#include "viewer/layout/page/svg/shapes_svg.h"
#include "viewer/layout/sets/sets.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

const std::string kSetsSvgMiddle = " text-anchor=\"middle\"";

class SetsSvg : ShapesSvg {
  public:
    explicit SetsSvg(const SvgRequest& request) : ShapesSvg(request) {}

    std::string picture() {
        begin();
        const float x = kMargin * em_;
        const Sets sets = layout_sets({request_.replay,
                                       request_.index,
                                       {x, kHead * em_, request_.width - x, request_.height - x},
                                       rough_metrics(em_, request_.language)});
        for (const QueueRow& row : sets.queues) queue(row);
        for (const TreeView& view : sets.trees) tree(view);
        for (const HeapView& view : sets.heaps) heap(view);
        for (const WheelView& view : sets.wheels) wheel(view);
        if (!sets.more.empty()) text({sets.more_rect.x0, base(sets.more_rect)}, sets.more, colors_.text);
        return finished();
    }

  private:
    void queue(const QueueRow& row) {
        title(row.title, row.name, row.words);
        if (!row.left.empty()) ghost(row.left_rect.shrunk(0.15F * em_), row.left);
        for (const SetBox& box : row.boxes) {
            centred(box.rect, box.name, member(box.rect, box.co, box.state, box.now));
        }
        if (!row.more.empty()) text({row.more_rect.x0, base(row.more_rect)}, row.more, colors_.text);
    }
    void tree(const TreeView& view) {
        title(view.title, view.name, view.words);
        for (const TreeLine& link : view.lines)
            line(link.from, link.to, link.now ? colors_.playhead : colors_.arrow, link.now ? 3 : 1.2F,
                 link.way == LinkWay::up || link.way == LinkWay::cut ? " stroke-dasharray=\"4 3\"" : "");
        for (const TreeBox& box : view.boxes) {
            if (box.ghost) {
                ghost(box.rect, box.name);
                continue;
            }
            const bool red = box.color == trace::Color::red;
            rect(box.rect, red ? colors_.node_red : colors_.node_black,
                 (red ? " rx=\"9\"" : std::string()) +
                     (box.now ? " stroke=\"" + svg_color(colors_.playhead) + "\" stroke-width=\"3\"" : std::string()));
            const float line_height = box.key.empty() ? box.rect.height() : box.rect.height() / 2;
            text({box.rect.middle_x(), box.rect.y0 + line_height / 2 + 0.35F * em_}, box.name, colors_.node_ink,
                 kSetsSvgMiddle);
            if (!box.key.empty())
                text({box.rect.middle_x(), box.rect.y1 - line_height / 2 + 0.3F * em_}, box.key, colors_.node_ink,
                     kSetsSvgMiddle);
            if (!box.below.empty()) centred(box.below_rect, box.below, colors_.text);
        }
    }
};

}  // namespace

std::string sets_svg_of(const SvgRequest& request) { return SetsSvg(request).picture(); }

}  // namespace fiberscope::viewer
