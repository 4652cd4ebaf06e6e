// Alignment of two sequences by a longest common subsequence, computed by divide and conquer in linear space (E. W.
// Myers, "An O(ND) difference algorithm and its variations", 1986).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fiberscope::viewer {

/// The elements [begin, end) of each sequence between two matches; one of the two ranges may be empty.
struct Gap {
    std::size_t first_begin = 0, first_end = 0, second_begin = 0, second_end = 0;
};
struct Alignment {
    std::vector<Gap> gaps;  ///< in order; all elements between two gaps match pairwise
    std::size_t agree = 0;  ///< number of matching elements
    bool longest = true;    ///< the number of matches is maximal; false: possibly not
};

/// Up to this total length, the result is always a longest common subsequence.
inline constexpr std::size_t kAlwaysLongest = 14'000;

/// Memory is linear in both lengths, time is their sum times the number of differences. For sequences of more than
/// kAlwaysLongest elements that differ much, the time is limited to about 10^8 steps (10^9 for millions), and `longest`
/// may be false.
Alignment align(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second);

}  // namespace fiberscope::viewer
