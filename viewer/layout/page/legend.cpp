#include "viewer/layout/page/legend.h"

#include <algorithm>

#include "traces/words/words.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/sets/sets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kLegendLine = 1.5F, kSide = 1.15F, kLegendBetween = 0.35F, kLegendApart = 1.0F;  // in em

/// The first source that uses the state; the legend shows its word for it.
const LegendSource* user_of(std::span<const LegendSource> sources, trace::State state) {
    for (const LegendSource& source : sources)
        if (source.index->uses(state)) return &source;
    return nullptr;
}

std::string state_words(std::span<const LegendSource> sources, const LegendSource& user, trace::State state,
                        Language language) {
    const bool several =
        std::any_of(sources.begin(), sources.end(), [](const LegendSource& s) { return s.index->machines() > 1; });
    const bool numbered = several && state == trace::State::running;
    const std::string name = trace::state_name(*user.trace, state, language);
    return numbered ? say(language, "{0} (R 1: on machine 1)", name) : name;
}

Text idle_words(trace::Idle idle) {
    return idle == trace::Idle::parked    ? mark("machine is parked")
           : idle == trace::Idle::polls   ? mark("machine polls")
           : idle == trace::Idle::blocked ? mark("machine is blocked in a call")
           : idle == trace::Idle::locked  ? mark("machine waits for a lock")
                                          : mark("machine spins");
}

std::vector<LegendItem> used_states(std::span<const LegendSource> sources, Language language) {
    std::vector<LegendItem> items;
    for (const trace::State state : kLegendOrder)
        if (const LegendSource* user = user_of(sources, state))
            items.push_back(
                {LegendSign::state, state, trace::Idle::none, state_words(sources, *user, state, language), {}});
    for (const trace::Idle idle : kIdleOrder)
        if (std::any_of(sources.begin(), sources.end(), [=](const auto& s) { return s.index->idle().has(idle); }))
            items.push_back({LegendSign::idle, trace::State::running, idle, say(language, idle_words(idle)), {}});
    return items;
}

std::vector<LegendItem> used_signs(std::span<const LegendSource> sources, Language language) {
    std::vector<LegendItem> items = used_states(sources, language);
    const auto add = [&](LegendSign sign, Text word) {
        items.push_back({sign, trace::State::new_, trace::Idle::none, say(language, word), {}});
    };
    const auto any = [&](auto holds) { return std::any_of(sources.begin(), sources.end(), holds); };
    if (any([](const LegendSource& s) { return !s.index->copies().empty(); })) {
        add(LegendSign::copy_out, mark("copied out"));
        add(LegendSign::copy_in, mark("copied in"));
    }
    if (any([](const LegendSource& s) { return s.index->has_notes(); })) add(LegendSign::note, mark("note"));
    if (any([](const LegendSource& s) { return s.index->has_faults(); })) add(LegendSign::fault, mark("fault"));
    if (any([](const LegendSource& s) { return s.index->has_accesses(); }))
        add(LegendSign::access, mark("address used"));
    if (any([](const LegendSource& s) { return s.index->has_hazards(); }))
        add(LegendSign::hazard, mark("another's address"));
    if (any([](const LegendSource& s) { return !s.index->locks().empty(); }))
        add(LegendSign::lock_wait, mark("waits for a lock"));
    if (any([](const LegendSource& s) { return !s.index->steals().empty(); }))
        add(LegendSign::steal, any([](const LegendSource& s) { return s.index->has_gives(); })
                                   ? mark("steal; with P: a queue handed over")
                                   : mark("steal"));
    const auto drawn = [&](trace::Structure structure) {
        return any([=](const LegendSource& s) { return s.sets && draws_shape(*s.index, structure); });
    };
    if (drawn(trace::Structure::rbtree)) {
        add(LegendSign::red_node, mark("red node"));
        add(LegendSign::black_node, mark("black node"));
    }
    if (drawn(trace::Structure::heap)) add(LegendSign::in_hand, mark("in transit"));
    if (drawn(trace::Structure::wheel)) add(LegendSign::hand, mark("hand"));
    if (any([](const LegendSource& s) { return !s.index->switches().empty(); }))
        add(LegendSign::switch_, mark("switch"));
    add(LegendSign::playhead, mark("playhead"));
    add(LegendSign::several, mark("shares of time: zoom in"));
    return items;
}

}  // namespace

Legend layout_legend(std::span<const LegendSource> sources, float width, const Metrics& metrics) {
    const float em = metrics.em, side = kSide * em;
    Legend out{used_signs(sources, metrics.language), kLegendLine * em};
    float x = 0;
    for (LegendItem& item : out.items) {
        const float needed = side + kLegendBetween * em + metrics.width(item.word);
        if (x > 0 && x + needed > width) {
            x = 0;
            out.height += kLegendLine * em;
        }
        const float y = out.height - kLegendLine * em + (kLegendLine * em - side) / 2;
        item.place = {x, y, x + side, y + side};
        x += needed + kLegendApart * em;
    }
    return out;
}

}  // namespace fiberscope::viewer
