// Shortens a list of random operations on which a test fails, so that a person can follow it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fiberscope::kit::testing {

/// Returns a subsequence of `all` for which `fails` is still true, but not without any single element. Leaves out
/// halves, quarters and so on down to single elements (delta debugging), and stops after `most` trials.
template <class T, class Fails>
std::vector<T> shrink(std::vector<T> all, Fails fails, std::size_t most = 5'000) {
    std::size_t trials = 0;
    for (std::size_t part = std::max<std::size_t>(all.size() / 2, 1); part > 0;) {
        bool shorter = false;
        for (std::size_t at = 0; at < all.size() && trials < most;) {
            std::vector<T> rest(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at));
            const std::size_t behind = std::min(at + part, all.size());
            rest.insert(rest.end(), all.begin() + static_cast<std::ptrdiff_t>(behind), all.end());
            ++trials;
            if (fails(rest)) {
                all = std::move(rest);
                shorter = true;
            } else {
                at += part;
            }
        }
        part = part == 1 && shorter && trials < most ? 1 : part / 2;
    }
    return all;
}

/// Returns the shortest prefix of `all` for which `fails` is true; it must be true for all longer ones.
template <class T, class Fails>
std::vector<T> shortest_beginning(const std::vector<T>& all, Fails fails) {
    std::size_t right = 0, wrong = all.size();
    while (wrong - right > 1) {
        const std::size_t middle = right + (wrong - right) / 2;
        const std::vector<T> some(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(middle));
        (fails(some) ? wrong : right) = middle;
    }
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wrong)};
}

}  // namespace fiberscope::kit::testing
