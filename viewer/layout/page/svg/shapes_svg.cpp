#include "viewer/layout/page/svg/shapes_svg.h"

namespace fiberscope::viewer {
namespace {

const std::string kShapesSvgMiddle = " text-anchor=\"middle\"", kShapesSvgBold = " font-weight=\"bold\"";

}  // namespace

void ShapesSvg::centred(Rect r, const std::string& words, Color color) {
    text({r.middle_x(), base(r)}, words, color, kShapesSvgMiddle);
}

void ShapesSvg::title(Rect r, const std::string& name, const std::string& words) {
    text({r.x0, base(r)}, name, colors_.text, kShapesSvgBold);
    text({r.x0 + rough_metrics(em_, request_.language).width(name) * 1.1F + 0.8F * em_, base(r)}, words, colors_.dim);
}

Color ShapesSvg::member(Rect r, std::uint32_t co, trace::State state, bool now) {
    const bool timer = co == trace::kNone;
    const Look& its = look(state, request_.theme);
    rect(r, timer ? colors_.control : its.fill,
         " stroke=\"" + svg_color(now ? colors_.playhead : colors_.line) + "\"" + (now ? " stroke-width=\"3\"" : ""));
    return timer ? colors_.text : its.ink;
}

void ShapesSvg::ghost(Rect r, const std::string& name) {
    rect(r, colors_.panel,
         " stroke=\"" + svg_color(colors_.playhead) + "\" stroke-width=\"2\" stroke-dasharray=\"5 4\"");
    centred(r, name, colors_.dim);
}

Color ShapesSvg::place(Rect r, const HeapItem& item) {
    if (!item.in_hand) return member(r, item.co, item.state, item.now);
    rect(r, colors_.panel, " stroke=\"" + svg_color(colors_.text) + "\" stroke-width=\"2\" stroke-dasharray=\"5 4\"");
    return colors_.text;
}

void ShapesSvg::heap(const HeapView& view) {
    title(view.title, view.name, view.words);
    for (const HeapLine& link : view.lines)
        line(link.from, link.to, link.now ? colors_.playhead : colors_.arrow, link.now ? 3 : 1.2F);
    for (const HeapItem& item : view.items) {
        if (!item.node.empty()) {
            const Color ink = place(item.node, item);
            Rect first = item.node, second = item.node;
            if (!item.key.empty()) first.y1 = second.y0 = item.node.middle_y();
            centred(first, item.name, ink);
            if (!item.key.empty()) centred(second, item.key, ink);
            if (!item.below.empty()) centred(item.below_rect, item.below, colors_.text);
        }
        if (item.cell.empty()) continue;
        centred(item.cell, item.cell_name, place(item.cell, item));
        centred(item.index_rect, item.index, colors_.dim);
    }
    if (!view.more.empty()) text({view.more_rect.x0, base(view.more_rect)}, view.more, colors_.text);
}

void ShapesSvg::dial(const Dial& dial, bool now, float width) {
    circle(dial.middle, dial.radius, "none", svg_color(colors_.dim));
    line(dial.middle, dial.hand, now ? colors_.playhead : colors_.text, width);
    for (const Point dot : dial.dots) circle(dot, 0.25F * em_, svg_color(colors_.text), "none");
}

void ShapesSvg::ring(const WheelView& view) {
    for (const WheelSlot& slot : view.slots) {
        line(slot.dot, slot.knee, colors_.line, 1);
        line(slot.knee, slot.edge, colors_.line, 1);
    }
    for (const WheelMark& mark : view.marks) line(mark.from, mark.to, colors_.dim, mark.text.empty() ? 1.0F : 2.0F);
    if (view.ring.before) line(view.ring.middle, *view.ring.before, colors_.dim, 2, " stroke-dasharray=\"5 4\"");
    dial(view.ring, view.hand_now, 2.5F);
    for (const WheelMark& mark : view.marks) {
        if (mark.text.empty()) continue;
        rect(mark.text_rect, colors_.panel);
        centred(mark.text_rect, mark.text, colors_.dim);
    }
    if (view.whole.radius <= 0) return;
    circle(view.whole.middle, 1.15F * view.whole.radius, svg_color(colors_.panel), "none");
    dial(view.whole, view.hand_now, 2);
}

void ShapesSvg::wheel(const WheelView& view) {
    title(view.title, view.name, view.words);
    if (view.ring.radius <= 0) return;
    ring(view);
    for (const WheelSlot& slot : view.slots) {
        centred(slot.number_rect, slot.number, colors_.dim);
        for (const SetBox& item : slot.items)
            if (item.ghost)
                ghost(item.rect, item.name);
            else
                centred(item.rect, item.name, member(item.rect, item.co, item.state, item.now));
        if (!slot.more.empty()) centred(slot.more_rect, slot.more, colors_.text);
    }
    if (!view.more.empty()) text({view.more_rect.x0, base(view.more_rect)}, view.more, colors_.text);
}

}  // namespace fiberscope::viewer
