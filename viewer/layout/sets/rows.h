// How sets are put into rows and columns, wherever they are drawn. Lengths are in em.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// Heights of a row of a queue, of the space before the shapes, and of a shape at least.
inline constexpr float kSetsRow = 1.85F, kSetsBetween = 0.5F, kLowest = 5.2F;
/// Widths of a shape at least.
inline constexpr float kLeastShape = 15;

/// Trees, heaps and wheels; but a wheel of one slot is a queue.
bool has_shape(const SetFacts& set) noexcept;
/// The declared sets that have a shape, or those that have none: those that can run first, those of no machine first;
/// of the shapes those that are never used last.
std::vector<std::uint32_t> sets_in_order(const TraceIndex& index, bool shapes);
/// Of queues, and of shapes, in `width` pixels.
std::size_t columns_for(std::size_t queues, float width, float em) noexcept;
std::size_t shape_columns(std::size_t shapes, float width, float em) noexcept;

}  // namespace fiberscope::viewer
