// Step 3.4: coroutines on shared stacks hand over to each other, as the tasks of lab 04, step 4.12, do.
#include <array>
#include <cstddef>
#include <vector>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/kit/run/backend.h"
#include "labs/kit/testing/allocations.h"
#include "labs/kit/testing/clock.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab03;

namespace {

constexpr std::size_t kRoom = 1024;
constexpr int kRing = 6;  // more than a thread has shared stacks

struct Ring {
    alignas(16) std::array<std::array<std::byte, kRoom>, kRing> rooms{};
    std::array<kit::Core*, kRing> members{};
    std::vector<int> turns;

    /// Each coroutine keeps a different number on its stack, and hands over to the next one.
    void make(int i, int rounds) {
        const auto body = [this, i, rounds] {
            volatile int mine = 100 * i;
            for (int n = 0; n < rounds; ++n) {
                turns.push_back(mine + n);
                kit::Core& next = *members[static_cast<std::size_t>((i + 1) % kRing)];
                if (i + 1 == kRing && n + 1 == rounds) return;
                kit::shared_backend.hand_over(next, kit::State::ready, trace::kAbsent, nullptr);
            }
        };
        members[static_cast<std::size_t>(i)] =
            &kit::shared_backend.create(rooms[static_cast<std::size_t>(i)].data(), body, {});
    }
};

}  // namespace

TEST_CASE("3.5 coroutines on few shared stacks hand over in a ring, and are released where they are") {
    INFO("a hand-over goes directly from one coroutine to the next, through the copier if both share a stack");
    REQUIRE(kit::shared_backend.size <= kRoom);
    kit::this_thread();
    constexpr int kRounds = 3;
    Ring ring;
    for (int i = 0; i < kRing; ++i) ring.make(i, kRounds);
    kit::shared_backend.resume(*ring.members[0]);
    std::vector<int> expected;
    for (int n = 0; n < kRounds; ++n)
        for (int i = 0; i < kRing; ++i) expected.push_back(100 * i + n);
    CHECK(ring.turns == expected);
    CHECK(ring.members[kRing - 1]->state() == kit::State::dead);
    CHECK(ring.members[0]->state() == kit::State::ready);
    for (kit::Core* member : ring.members) kit::shared_backend.destroy(*member);
}
