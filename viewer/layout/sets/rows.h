// Arrangement of sets in rows and columns. Lengths are in em.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// Height of a queue's row, of the gap before the shapes, and minimum height of a shape.
inline constexpr float kSetsRow = 1.85F, kSetsBetween = 0.5F, kLowest = 5.2F;
/// Minimum width of a shape.
inline constexpr float kLeastShape = 15;

/// Whether the set is a tree, heap or wheel; a wheel of one slot is a queue.
bool has_shape(const SetFacts& set) noexcept;
/// The declared sets with (or without) a shape. Runnable sets come first, those without a machine before the others;
/// shapes that are never used are last.
std::vector<std::uint32_t> sets_in_order(const TraceIndex& index, bool shapes);
/// Number of columns for queues and for shapes in `width` pixels.
std::size_t columns_for(std::size_t queues, float width, float em) noexcept;
std::size_t shape_columns(std::size_t shapes, float width, float em) noexcept;

}  // namespace fiberscope::viewer
