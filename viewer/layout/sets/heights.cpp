#include "viewer/layout/sets/rows.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "viewer/layout/sets/sets.h"
#include "viewer/layout/sets/tree.h"
#include "viewer/layout/sets/wheel.h"

namespace fiberscope::viewer {
namespace {
constexpr float kQueuesInTwoColumns = 60;  // em: the width of two columns of queues at least
constexpr std::size_t kManyQueues = 5;
}  // namespace

bool has_shape(const SetFacts& set) noexcept {
    if (set.structure == trace::Structure::wheel) return set.slots > 1;
    return set.structure == trace::Structure::rbtree || set.structure == trace::Structure::heap;
}

std::vector<std::uint32_t> sets_in_order(const TraceIndex& index, bool shapes) {
    std::vector<std::uint32_t> sets;
    for (std::uint32_t set = 0; set < index.sets(); ++set)
        if (index.set(set).declared && has_shape(index.set(set)) == shapes) sets.push_back(set);
    const auto key = [&](std::uint32_t set) {
        const SetFacts& facts = index.set(set);
        return std::tuple(shapes && facts.most == 0, facts.role, facts.owner, set);  // no owner is the least of all
    };
    std::sort(sets.begin(), sets.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return sets;
}

std::size_t columns_for(std::size_t queues, float width, float em) noexcept {
    return queues > kManyQueues && width > kQueuesInTwoColumns * em ? 2 : 1;
}

std::size_t shape_columns(std::size_t shapes, float width, float em) noexcept {
    const auto fit = static_cast<std::size_t>(std::max(1.0F, width / (kLeastShape * em)));
    return std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(1, shapes));
}

bool has_sets_to_draw(const TraceIndex& index) noexcept {
    for (std::uint32_t set = 0; set < index.sets(); ++set) {
        const SetFacts& facts = index.set(set);
        if (facts.declared && facts.role <= trace::Role::timer) return true;
    }
    return false;
}

bool has_shapes(const TraceIndex& index) noexcept { return !sets_in_order(index, true).empty(); }

bool draws_shape(const TraceIndex& index, trace::Structure structure) noexcept {
    const auto shapes = sets_in_order(index, true);
    return std::any_of(shapes.begin(), shapes.end(), [&](auto set) { return index.set(set).structure == structure; });
}

namespace {

/// The height in which each shape is `high(set)` pixels high.
template <class High>
float height_with(const TraceIndex& index, float width, float em, const High& high) noexcept {
    std::size_t queues = 0, shapes = 0;
    float highest = 0;
    for (std::uint32_t set = 0; set < index.sets(); ++set) {
        if (!index.set(set).declared) continue;
        const bool shape = has_shape(index.set(set));
        ++(shape ? shapes : queues);
        if (shape) highest = std::max(highest, high(set));
    }
    const std::size_t columns = columns_for(queues, width, em);
    const float rows = static_cast<float>((queues + columns - 1) / columns);
    if (shapes == 0) return em * kSetsRow * rows * (queues == 1 ? 2.0F : 1.0F);
    const std::size_t across = shape_columns(shapes, width, em);
    const float shape_rows = static_cast<float>((shapes + across - 1) / across);
    return em * (kSetsRow * rows + kSetsBetween) + shape_rows * highest;
}

float wanted_shape_height(const SetFacts& set, float em) noexcept {
    if (set.structure == trace::Structure::heap) return wanted_heap_height(set.most, em);
    if (set.structure == trace::Structure::wheel) return set.most == 0 ? 0 : wanted_wheel_height(em);
    return wanted_tree_height(set.most, em);
}

/// A tree is as high as it is now, or as `most` members make it at least.
float height_near(const trace::Replay& replay, const SetFacts& facts, const trace::SetNow* now, std::uint32_t most,
                  float em) {
    if (most == 0) return kLowest * em;
    if (facts.structure == trace::Structure::heap) return wanted_heap_height(most, em);
    if (facts.structure == trace::Structure::wheel) return wanted_wheel_height(em);
    const auto fewest_levels = static_cast<std::size_t>(std::bit_width(most));
    return tree_height(std::max(now == nullptr ? 0 : levels_of(replay, *now), fewest_levels), em);
}

}  // namespace

SetLengths::SetLengths(const trace::Trace& trace) : steps_(trace.sets()) {
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const trace::Event& e = trace[n];
        const bool comes = e.kind == trace::Kind::insert, goes = e.kind == trace::Kind::remove;
        if ((comes || goes) && e.set < steps_.size()) steps_[e.set].add(n, comes);
    }
}

std::vector<std::uint32_t> SetLengths::most_near(std::size_t n) const {
    constexpr std::size_t kNear = 64;
    std::vector<std::uint32_t> most;
    most.reserve(steps_.size());
    for (const LengthSteps& steps : steps_) most.push_back(steps.within(n - std::min(n, kNear), n + kNear).most);
    return most;
}

float wanted_sets_height(const TraceIndex& index, float width, float em) noexcept {
    return height_with(index, width, em, [&](auto set) { return wanted_shape_height(index.set(set), em); });
}

float sets_height_near(const trace::Replay& replay, const TraceIndex& index, std::span<const std::uint32_t> most,
                       float width, float em) {
    std::vector<const trace::SetNow*> now(index.sets(), nullptr);
    for (const trace::SetNow& set : replay.sets()) now[set.index] = &set;
    return height_with(index, width, em, [&](std::uint32_t set) {
        return std::min(height_near(replay, index.set(set), now[set], most[set], em),
                        std::max(kLowest * em, wanted_shape_height(index.set(set), em)));
    });
}

}  // namespace fiberscope::viewer
