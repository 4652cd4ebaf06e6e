#include "viewer/layout/page/legend.h"

#include <algorithm>

#include "viewer/layout/base/look.h"
#include "viewer/layout/sets/sets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kLine = 1.5F, kSide = 1.15F, kBetween = 0.35F, kApart = 1.0F;  // in em

/// The first of the sources that uses the state; its word is the one to tell.
const LegendSource* user_of(std::span<const LegendSource> sources, trace::State state) {
    for (const LegendSource& source : sources)
        if (source.index->uses(state)) return &source;
    return nullptr;
}

std::string state_words(std::span<const LegendSource> sources, const LegendSource& user, trace::State state) {
    const bool several =
        std::any_of(sources.begin(), sources.end(), [](const LegendSource& s) { return s.index->machines() > 1; });
    const bool numbered = several && state == trace::State::running;
    return user.trace->state_name(state) + (numbered ? " (R 1: on machine 1)" : "");
}

std::string idle_words(trace::Idle idle) {
    return idle == trace::Idle::parked ? "is parked" : std::string(look(idle, Theme::dark).word);
}

std::vector<LegendItem> used_signs(std::span<const LegendSource> sources) {
    std::vector<LegendItem> items;
    const auto add = [&](LegendSign sign, std::string word) {
        items.push_back({sign, trace::State::new_, trace::Idle::none, std::move(word), {}});
    };
    const auto any = [&](auto holds) { return std::any_of(sources.begin(), sources.end(), holds); };
    for (const trace::State state : kLegendOrder)
        if (const LegendSource* user = user_of(sources, state))
            items.push_back({LegendSign::state, state, trace::Idle::none, state_words(sources, *user, state), {}});
    for (const trace::Idle idle : kIdleOrder)
        if (any([=](const LegendSource& s) { return s.index->idle().has(idle); }))
            items.push_back({LegendSign::idle, trace::State::running, idle, "machine " + idle_words(idle), {}});
    if (any([](const LegendSource& s) { return !s.index->copies().empty(); })) {
        add(LegendSign::copy_out, "copied out");
        add(LegendSign::copy_in, "copied in");
    }
    if (any([](const LegendSource& s) { return s.index->has_notes(); })) add(LegendSign::note, "note");
    if (any([](const LegendSource& s) { return s.index->has_faults(); })) add(LegendSign::fault, "fault");
    if (any([](const LegendSource& s) { return s.index->has_accesses(); })) add(LegendSign::access, "address used");
    if (any([](const LegendSource& s) { return s.index->has_hazards(); })) add(LegendSign::hazard, "another's address");
    if (any([](const LegendSource& s) { return !s.index->locks().empty(); }))
        add(LegendSign::lock_wait, "waits for a lock");
    if (any([](const LegendSource& s) { return !s.index->steals().empty(); })) add(LegendSign::steal, "steal");
    const auto drawn = [&](trace::Structure structure) {
        return any([=](const LegendSource& s) { return s.sets && draws_shape(*s.index, structure); });
    };
    if (drawn(trace::Structure::rbtree)) {
        add(LegendSign::red_node, "red node");
        add(LegendSign::black_node, "black node");
    }
    if (drawn(trace::Structure::heap)) add(LegendSign::in_hand, "on its way");
    if (drawn(trace::Structure::wheel)) add(LegendSign::hand, "hand");
    if (any([](const LegendSource& s) { return !s.index->switches().empty(); })) add(LegendSign::switch_, "switch");
    add(LegendSign::playhead, "playhead");
    add(LegendSign::several, "several: zoom in");
    return items;
}

}  // namespace

Legend layout_legend(std::span<const LegendSource> sources, float width, const Metrics& metrics) {
    const float em = metrics.em, side = kSide * em;
    Legend out{used_signs(sources), kLine * em};
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
