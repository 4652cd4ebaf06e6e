// A long list on which a test fails is shortened.
#include "labs/kit/testing/shrink.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "testing/catch.h"

using fiberscope::kit::testing::shrink;

namespace {

bool has(const std::vector<int>& list, int one) { return std::find(list.begin(), list.end(), one) != list.end(); }

std::vector<int> numbers(int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace

TEST_CASE("shrink keeps what the failure needs, in order, and no more") {
    const auto needs_three = [](const std::vector<int>& list) {
        return has(list, 3) && has(list, 500) && has(list, 999);
    };
    CHECK(shrink(numbers(1000), needs_three) == std::vector<int>{3, 500, 999});
    CHECK(shrink(numbers(1), [](const std::vector<int>& list) { return has(list, 0); }) == std::vector<int>{0});
}

TEST_CASE("shrink gives up after the maximum number of trials, with a list that still fails") {
    std::size_t trials = 0;
    const auto needs_all = [&](const std::vector<int>& list) { return ++trials, list.size() == 1000; };
    CHECK(shrink(numbers(1000), needs_all, 50) == numbers(1000));
    CHECK(trials == 50);
}
