#include "viewer/layout/page/legend.h"

#include <algorithm>

#include "traces/words/words.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/sets/sets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kLegendLine = 1.5F, kSide = 1.15F, kLegendBetween = 0.35F, kLegendApart = 1.0F;  // in em

/// The first of the sources that uses the state; its word is the one to tell.
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
    return numbered ? say(language, DrawnText::running_numbered, name) : name;
}

DrawnText idle_words(trace::Idle idle) {
    return idle == trace::Idle::parked  ? DrawnText::machine_parked_sign
           : idle == trace::Idle::polls ? DrawnText::machine_polls_sign
                                        : DrawnText::machine_spins_sign;
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
    const auto add = [&](LegendSign sign, DrawnText word) {
        items.push_back({sign, trace::State::new_, trace::Idle::none, say(language, word), {}});
    };
    const auto any = [&](auto holds) { return std::any_of(sources.begin(), sources.end(), holds); };
    if (any([](const LegendSource& s) { return s.marks && !s.index->copies().empty(); })) {
        add(LegendSign::copy_out, DrawnText::sign_copied_out);
        add(LegendSign::copy_in, DrawnText::sign_copied_in);
    }
    if (any([](const LegendSource& s) { return s.marks && s.index->has_notes(); }))
        add(LegendSign::note, DrawnText::sign_note);
    if (any([](const LegendSource& s) { return s.marks && s.index->has_faults(); }))
        add(LegendSign::fault, DrawnText::sign_fault);
    if (any([](const LegendSource& s) { return s.marks && s.index->has_accesses(); }))
        add(LegendSign::access, DrawnText::sign_access);
    if (any([](const LegendSource& s) { return s.marks && s.index->has_hazards(); }))
        add(LegendSign::hazard, DrawnText::sign_hazard);
    if (any([](const LegendSource& s) { return s.marks && !s.index->locks().empty(); }))
        add(LegendSign::lock_wait, DrawnText::sign_lock);
    if (any([](const LegendSource& s) { return s.marks && !s.index->steals().empty(); }))
        add(LegendSign::steal, DrawnText::sign_steal);
    const auto drawn = [&](trace::Structure structure) {
        return any([=](const LegendSource& s) { return s.sets && draws_shape(*s.index, structure); });
    };
    if (drawn(trace::Structure::rbtree)) {
        add(LegendSign::red_node, DrawnText::sign_red);
        add(LegendSign::black_node, DrawnText::sign_black);
    }
    if (drawn(trace::Structure::heap)) add(LegendSign::in_hand, DrawnText::sign_in_hand);
    if (drawn(trace::Structure::wheel)) add(LegendSign::hand, DrawnText::sign_hand);
    if (any([](const LegendSource& s) { return s.marks && !s.index->switches().empty(); }))
        add(LegendSign::switch_, DrawnText::sign_switch);
    add(LegendSign::playhead, DrawnText::sign_playhead);
    add(LegendSign::several, DrawnText::sign_several);
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
