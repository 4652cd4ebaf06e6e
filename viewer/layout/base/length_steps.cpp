#include "viewer/layout/base/length_steps.h"

#include <algorithm>

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kLengthBlock = 64;

void join(LengthSteps::Bounds& all, LengthSteps::Bounds more) noexcept {
    all.least = std::min(all.least, more.least);
    all.most = std::max(all.most, more.most);
}

}  // namespace

void LengthSteps::add(std::size_t n, bool comes) {
    const std::uint32_t before = steps_.empty() ? 0 : steps_.back().length;
    const std::uint32_t length = comes ? before + 1 : before == 0 ? 0 : before - 1;
    steps_.push_back({static_cast<std::uint32_t>(n), length});
    most_ = std::max(most_, length);
    if (steps_.size() % kLengthBlock == 1)
        blocks_.push_back({length, length});
    else
        join(blocks_.back(), {length, length});
}

std::size_t LengthSteps::steps_until(std::size_t n) const noexcept {
    return static_cast<std::size_t>(
        std::partition_point(steps_.begin(), steps_.end(), [&](const Step& s) { return s.event < n; }) -
        steps_.begin());
}

std::uint32_t LengthSteps::at(std::size_t n) const noexcept {
    const std::size_t count = steps_until(n + 1);
    return count == 0 ? 0 : steps_[count - 1].length;
}

LengthSteps::Bounds LengthSteps::within(std::size_t first, std::size_t last) const noexcept {
    std::size_t i = steps_until(first);
    const std::size_t end = steps_until(last);
    const std::uint32_t begin = i == 0 ? 0 : steps_[i - 1].length;
    Bounds all{begin, begin};
    while (i < end) {
        if (i % kLengthBlock == 0 && i + kLengthBlock <= end) {
            join(all, blocks_[i / kLengthBlock]);
            i += kLengthBlock;
        } else {
            const std::uint32_t length = steps_[i++].length;
            join(all, {length, length});
        }
    }
    return all;
}

}  // namespace fiberscope::viewer
