// Which parts of two sequences are the same: a longest common subsequence, by divide and conquer in linear space (E. W.
// Myers, "An O(ND) difference algorithm and its variations", 1986).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fiberscope::viewer {

/// Of each sequence the elements [begin, end) that stand between two that agree; of one of them there may be none.
struct Gap {
    std::size_t first_begin = 0, first_end = 0, second_begin = 0, second_end = 0;
};
struct Alignment {
    std::vector<Gap> gaps;  ///< in their order; what lies between two of them agrees, one by one
    std::size_t agree = 0;  ///< how many elements agree
    bool longest = true;    ///< no alignment has more that agree; false: there may be one
};

/// So many elements of both sequences together are always aligned to the longest common subsequence.
inline constexpr std::size_t kAlwaysLongest = 14'000;

/// Takes memory for both lengths, and time for their sum times the number of differences; but for sequences of more
/// than kAlwaysLongest elements that differ much at most some 10^8 steps (10^9 for millions), and then `longest` may be
/// false.
Alignment align(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second);

}  // namespace fiberscope::viewer
