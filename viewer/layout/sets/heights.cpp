#include "viewer/layout/sets/rows.h"

#include <algorithm>
#include <tuple>

#include "viewer/layout/sets/sets.h"
#include "viewer/layout/sets/tree.h"
#include "viewer/layout/sets/wheel.h"

namespace fiberscope::viewer {
namespace {
constexpr float kQueuesInTwoColumns = 60;  // em: minimum width for two columns of queues
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
        return std::tuple(shapes && facts.most == 0, facts.role, facts.owner, set);  // kAbsent sorts first
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

float wanted_shape_height(const SetFacts& set, float em) noexcept {
    if (set.structure == trace::Structure::heap) return wanted_heap_height(set.most, em);
    if (set.structure == trace::Structure::wheel) return set.most == 0 ? 0 : wanted_wheel_height(em);
    return wanted_tree_height(set.most, em);
}

}  // namespace

float wanted_sets_height(const TraceIndex& index, float width, float em) noexcept {
    std::size_t queues = 0, shapes = 0;
    float highest = 0;
    for (std::uint32_t set = 0; set < index.sets(); ++set) {
        if (!index.set(set).declared) continue;
        const bool shape = has_shape(index.set(set));
        ++(shape ? shapes : queues);
        if (shape) highest = std::max(highest, wanted_shape_height(index.set(set), em));
    }
    const std::size_t columns = columns_for(queues, width, em);
    const float rows = static_cast<float>((queues + columns - 1) / columns);
    if (shapes == 0) return em * kSetsRow * rows * (queues == 1 ? 2.0F : 1.0F);
    const std::size_t across = shape_columns(shapes, width, em);
    const float shape_rows = static_cast<float>((shapes + across - 1) / across);
    return em * (kSetsRow * rows + kSetsBetween) + shape_rows * highest;
}

}  // namespace fiberscope::viewer
