#include "viewer/layout/trace_facts/alignment.h"

#include <algorithm>
#include <limits>

namespace fiberscope::viewer {
namespace {

using Place = std::ptrdiff_t;
using Sequence = std::span<const std::uint32_t>;

/// Limit for one box: elements of both sequences times differences. 14,000 elements never exceed it.
constexpr std::size_t kMostWork = 100'000'000;
constexpr Place kLeastDifferences = 64;
static_assert(kAlwaysLongest * kAlwaysLongest / 2 <= kMostWork);

/// The part [x0, x1) of the first sequence and [y0, y1) of the second.
struct Box {
    Place x0, x1, y0, y1;
};
struct Split {
    Place x, y;
    bool exact;  ///< on a shortest path through the box
};

/// The furthest points of paths with that many differences, by diagonal x - y; used to split a box in the middle.
class Frontier {
  public:
    Frontier(Place diagonals, Place offset, Place beyond)
        : reach_(static_cast<std::size_t>(diagonals)), offset_(offset), beyond_(beyond) {}

    void begin(Place diagonal, Place x) {
        low_ = high_ = diagonal;
        at(diagonal) = x;
    }
    /// Allows one more difference: one more diagonal on each side, or, at the end of the box, one less.
    void widen(Place least, Place most) {
        if (low_ > least)
            at(--low_ - 1) = beyond_;
        else
            ++low_;
        if (high_ < most)
            at(++high_ + 1) = beyond_;
        else
            --high_;
    }
    bool has(Place diagonal) const { return low_ <= diagonal && diagonal <= high_; }
    Place& at(Place diagonal) { return reach_[static_cast<std::size_t>(diagonal + offset_)]; }
    Place low() const { return low_; }
    Place high() const { return high_; }

  private:
    std::vector<Place> reach_;
    Place offset_, beyond_, low_ = 0, high_ = 0;
};

class Aligner {
  public:
    Aligner(Sequence first, Sequence second)
        : first_(first),
          second_(second),
          forward_(diagonals(), size(second) + 2, -1),
          backward_(diagonals(), size(second) + 2, std::numeric_limits<Place>::max()),
          most_(std::max(kLeastDifferences, static_cast<Place>(kMostWork / (first.size() + second.size() + 1)))),
          alone_first_(first.size()),
          alone_second_(second.size()) {}

    Alignment run() {
        std::vector<Box> boxes{{0, size(first_), 0, size(second_)}};
        while (!boxes.empty()) {
            Box box = boxes.back();
            boxes.pop_back();
            take_ends(box);
            if (box.x0 == box.x1 || box.y0 == box.y1) {
                std::fill(alone_first_.begin() + box.x0, alone_first_.begin() + box.x1, true);
                std::fill(alone_second_.begin() + box.y0, alone_second_.begin() + box.y1, true);
                continue;
            }
            const Split split = middle_of(box);
            longest_ = longest_ && split.exact;
            boxes.push_back({split.x, box.x1, split.y, box.y1});
            boxes.push_back({box.x0, split.x, box.y0, split.y});
        }
        return gathered();
    }

  private:
    static Place size(Sequence all) { return static_cast<Place>(all.size()); }
    Place diagonals() const { return size(first_) + size(second_) + 5; }
    bool same(Place x, Place y) const {
        return first_[static_cast<std::size_t>(x)] == second_[static_cast<std::size_t>(y)];
    }

    void take_ends(Box& box) const {
        while (box.x0 < box.x1 && box.y0 < box.y1 && same(box.x0, box.y0)) ++box.x0, ++box.y0;
        while (box.x0 < box.x1 && box.y0 < box.y1 && same(box.x1 - 1, box.y1 - 1)) --box.x1, --box.y1;
    }

    /// Extends the paths from the beginning by one difference; where they meet those from the end is the middle.
    bool go_forward(const Box& box, bool meets, Split& out) {
        forward_.widen(box.x0 - box.y1, box.x1 - box.y0);
        for (Place d = forward_.high(); d >= forward_.low(); d -= 2) {
            const Place left = forward_.at(d - 1), above = forward_.at(d + 1);
            Place x = left < above ? above : left + 1;
            while (x < box.x1 && x - d < box.y1 && same(x, x - d)) ++x;
            forward_.at(d) = x;
            if (meets && backward_.has(d) && backward_.at(d) <= x) return out = {x, x - d, true}, true;
        }
        return false;
    }
    bool go_backward(const Box& box, bool meets, Split& out) {
        backward_.widen(box.x0 - box.y1, box.x1 - box.y0);
        for (Place d = backward_.high(); d >= backward_.low(); d -= 2) {
            const Place left = backward_.at(d - 1), above = backward_.at(d + 1);
            Place x = left < above ? left : above - 1;
            while (x > box.x0 && x - d > box.y0 && same(x - 1, x - d - 1)) --x;
            backward_.at(d) = x;
            if (meets && forward_.has(d) && x <= forward_.at(d)) return out = {x, x - d, true}, true;
        }
        return false;
    }

    /// A point on a shortest path through the box; if that has too many differences, the furthest point found from the
    /// beginning.
    Split middle_of(const Box& box) {
        forward_.begin(box.x0 - box.y0, box.x0);
        backward_.begin(box.x1 - box.y1, box.x1);
        const bool odd = ((box.x0 - box.y0) - (box.x1 - box.y1)) % 2 != 0;
        Split out{};
        for (Place differences = 0; differences < most_; ++differences)
            if (go_forward(box, odd, out) || go_backward(box, !odd, out)) return out;
        Place farthest = -1;
        for (Place d = forward_.high(); d >= forward_.low(); d -= 2) {
            const Place x = std::min({forward_.at(d), box.x1, box.y1 + d}), y = x - d;
            if (x + y <= farthest || x < box.x0 || y < box.y0) continue;
            farthest = x + y;
            out = {x, y, false};
        }
        return out;
    }

    Alignment gathered() const {
        Alignment out;
        out.longest = longest_;
        std::size_t x = 0, y = 0;
        while (x < first_.size() || y < second_.size()) {
            Gap gap{x, x, y, y};
            while (gap.first_end < first_.size() && alone_first_[gap.first_end]) ++gap.first_end;
            while (gap.second_end < second_.size() && alone_second_[gap.second_end]) ++gap.second_end;
            x = gap.first_end;
            y = gap.second_end;
            if (gap.first_end > gap.first_begin || gap.second_end > gap.second_begin) {
                out.gaps.push_back(gap);
                continue;
            }
            ++out.agree;
            ++x;
            ++y;
        }
        return out;
    }

    Sequence first_, second_;
    Frontier forward_, backward_;
    Place most_;
    std::vector<bool> alone_first_, alone_second_;
    bool longest_ = true;
};

}  // namespace

Alignment align(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second) {
    return Aligner(first, second).run();
}

}  // namespace fiberscope::viewer
