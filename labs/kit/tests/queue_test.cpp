// The intrusive queue: removal from the front and from the middle.
#include <algorithm>
#include <random>
#include <vector>

#include "labs/kit/run/thread_state.h"
#include "labs/kit/sets/queue.h"
#include "testing/catch.h"

using namespace fiberscope;

namespace {

struct Member {
    int number = 0;
    kit::QueueLink<Member> link;
    kit::Core& core() { return *kit::this_thread().own; }  // only called while recording
};
using Members = kit::Queue<Member, &Member::link>;

auto numbered(int number) {
    return [number](const Member& member) { return member.number == number; };
}

}  // namespace

TEST_CASE("members leave a queue from anywhere and return to its end, as in a list") {
    std::mt19937 random(1);
    Member members[6];
    for (int i = 0; i < 6; ++i) members[i].number = i;
    Members queue("queue");
    std::vector<Member*> model;
    for (int step = 0; step < 5'000; ++step) {
        Member& one = members[random() % 6];
        const auto found = std::find(model.begin(), model.end(), &one);
        Member* const there = found == model.end() ? nullptr : &one;
        REQUIRE(queue.find(numbered(one.number)) == there);
        if (there == nullptr) {
            REQUIRE(queue.pop_first(numbered(one.number)) == nullptr);
            queue.push(one);
            model.push_back(&one);
        } else if (random() % 2 == 0) {
            REQUIRE(queue.pop_first(numbered(one.number)) == there);
            model.erase(found);
        } else {
            REQUIRE(queue.pop() == model.front());
            model.erase(model.begin());
        }
        REQUIRE(queue.size() == model.size());
        REQUIRE(queue.empty() == model.empty());
    }
}
