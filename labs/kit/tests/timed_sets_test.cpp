// The intrusive wheel and heap: the first member always has the smallest (deadline, order), through insertions and
// removals.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/run/thread_state.h"
#include "labs/kit/sets/heap.h"
#include "labs/kit/sets/wheel.h"
#include "testing/catch.h"

using namespace fiberscope;

namespace {

struct Sleeper {
    std::uint64_t deadline = 0, order = 0;
    kit::TreeNode node;
    kit::Core& core() { return *kit::this_thread().own; }  // only called while recording
};
std::string deadline_of(const Sleeper& sleeper) { return std::to_string(sleeper.deadline); }
bool wakes_before(const Sleeper& a, const Sleeper& b) {
    return std::pair(a.deadline, a.order) < std::pair(b.deadline, b.order);
}
using Wheel = kit::Wheel<Sleeper, &Sleeper::node, &Sleeper::deadline, &wakes_before>;
using Heap = kit::Heap<Sleeper, &Sleeper::node, &wakes_before>;

constexpr std::uint64_t kMillisecond = 1'000'000, kMinute = 60'000 * kMillisecond;

/// Members enter, leave, and expire in order of time, as in a scheduler; the set must agree with a sorted list.
template <class Set>
void compare_with_a_list(std::uint64_t longest) {
    std::mt19937_64 random(longest);
    std::vector<Sleeper> sleepers(40);
    Set set("sleeping", trace::Role::sleep, "deadline", &deadline_of);
    std::vector<const Sleeper*> model;
    std::uint64_t now = 7 * kMinute, order = 0;
    for (int step = 0; step < 20'000; ++step) {
        Sleeper& one = sleepers[random() % sleepers.size()];
        if (set.contains(one)) {
            set.remove(one);
            std::erase(model, &one);
        } else {
            one.deadline = now + random() % longest;
            one.order = ++order;
            set.insert(one);
            model.push_back(&one);
        }
        const auto first = std::min_element(model.begin(), model.end(),
                                            [](const auto* a, const auto* b) { return wakes_before(*a, *b); });
        REQUIRE(set.first() == (model.empty() ? nullptr : *first));
        REQUIRE(set.size() == model.size());
        REQUIRE(set.empty() == model.empty());
        if (model.empty() || random() % 4 != 0) continue;
        Sleeper& expired = *set.first();
        now = std::max(now, expired.deadline);
        set.remove(expired);
        std::erase(model, &expired);
    }
}

}  // namespace

TEST_CASE("a wheel finds the first member, within one turn and many turns away") {
    for (const std::uint64_t longest : {kMillisecond, 100 * kMillisecond, kMinute, 10 * kMinute, 3000 * kMinute})
        compare_with_a_list<Wheel>(longest);
}

TEST_CASE("a heap finds the first member, through insertions and removals") {
    for (const std::uint64_t longest : {std::uint64_t{5}, kMillisecond, kMinute}) compare_with_a_list<Heap>(longest);
}

TEST_CASE("a member that never expires has a place in a wheel, after all others") {
    Wheel wheel("sleeping", trace::Role::sleep, "deadline", &deadline_of);
    Sleeper never, soon;
    never.deadline = ~std::uint64_t{0};
    soon.deadline = 5 * kMinute;
    wheel.insert(never);
    CHECK(wheel.first() == &never);
    wheel.insert(soon);
    CHECK(wheel.first() == &soon);
    wheel.remove(soon);
    CHECK(wheel.first() == &never);
    wheel.remove(never);
    CHECK(wheel.first() == nullptr);
}
