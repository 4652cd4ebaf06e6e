#include "extras/explore/chooser.h"

#include <algorithm>

namespace fiberscope::explore {

unsigned RandomChooser::choose(const Step& step, std::size_t) {
    constexpr unsigned kLateOnceIn = 8;
    if (step.count == 1) return 0;
    if (step.of_memory) return random_() % kLateOnceIn == 0 ? 1 : 0;
    return static_cast<unsigned>(random_() % step.count);
}

PctChooser::PctChooser(std::uint64_t seed, unsigned depth, std::size_t steps) : random_(seed) {
    for (unsigned i = 1; i < depth; ++i) falls_.push_back(random_() % std::max<std::size_t>(steps, 1));
}

std::int64_t PctChooser::priority_of(unsigned machine) {
    const auto [place, is_new] = priorities_.try_emplace(machine, 0);
    if (is_new) place->second = static_cast<std::int64_t>(random_() >> 2U);
    return place->second;
}

// A machine that only waits for time, or retries, gets the lowest priority; otherwise it would run forever.
unsigned PctChooser::choose(const Step& step, std::size_t at) {
    if (step.of_memory) return RandomChooser(random_()).choose(step, at);
    const bool falls = std::ranges::find(falls_, at) != falls_.end();
    if (falls || step.act == kit::Act::work || step.act == kit::Act::retry) priorities_[step.machine] = --lowest_;
    unsigned best = 0;
    for (unsigned i = 1; i < step.count; ++i)
        if (priority_of(step.options[i]) > priority_of(step.options[best])) best = i;
    return best;
}

unsigned PrefixChooser::choose(const Step& step, std::size_t at) {
    return at < prefix_.size() && prefix_[at] < step.count ? prefix_[at] : 0;
}

unsigned ReplayChooser::choose(const Step& step, std::size_t at) {
    while (next_ < schedule_.size() && schedule_[next_].step < at + 1) ++next_;
    if (next_ == schedule_.size() || schedule_[next_].step != at + 1) return 0;
    const std::uint8_t wanted = schedule_[next_].machine;
    if (step.of_memory) return wanted == Deviation::kLater ? 1 : 0;
    for (unsigned i = 0; i < step.count; ++i)
        if (step.options[i] == wanted) return i;
    return 0;
}

std::optional<std::vector<std::uint8_t>> next_prefix(std::span<const Step> run, unsigned bound) {
    unsigned spent = preemptions(run);
    for (std::size_t at = run.size(); at-- > 0;) {
        const Step& step = run[at];
        spent -= step.cost();
        Step other = step;
        if (++other.chosen >= step.count || spent + other.cost() > bound) continue;
        std::vector<std::uint8_t> prefix;
        for (std::size_t i = 0; i < at; ++i) prefix.push_back(run[i].chosen);
        prefix.push_back(other.chosen);
        return prefix;
    }
    return std::nullopt;
}

}  // namespace fiberscope::explore
