#include "viewer/layout/legend.h"

#include "viewer/layout/look.h"

namespace fiberscope::viewer {
namespace {

constexpr float kLine = 1.5F, kSide = 1.15F, kBetween = 0.35F, kApart = 1.0F;  // in em

std::vector<LegendItem> used_signs(const trace::Trace& trace, const TraceIndex& index) {
    std::vector<LegendItem> items;
    const auto add = [&](LegendSign sign, std::string word) {
        items.push_back({sign, trace::State::new_, std::move(word), {}});
    };
    for (const trace::State state : kLegendOrder)
        if (index.uses(state)) items.push_back({LegendSign::state, state, trace.state_name(state), {}});
    if (!index.copies().empty()) {
        add(LegendSign::copy_out, "copied out");
        add(LegendSign::copy_in, "copied in");
    }
    if (index.has_hazards()) add(LegendSign::hazard, "another's bytes");
    add(LegendSign::switch_, "switch");
    add(LegendSign::playhead, "playhead");
    add(LegendSign::several, "several: zoom in");
    return items;
}

}  // namespace

Legend layout_legend(const trace::Trace& trace, const TraceIndex& index, float width, const Metrics& metrics) {
    const float em = metrics.em, side = kSide * em;
    Legend out{used_signs(trace, index), kLine * em};
    float x = 0;
    for (LegendItem& item : out.items) {
        const float needed = side + kBetween * em + metrics.width(item.word);
        if (x > 0 && x + needed > width) {
            x = 0;
            out.height += kLine * em;
        }
        const float y = out.height - kLine * em + (kLine * em - side) / 2;
        item.place = {x, y, x + side, y + side};
        x += needed + kApart * em;
    }
    return out;
}

}  // namespace fiberscope::viewer
