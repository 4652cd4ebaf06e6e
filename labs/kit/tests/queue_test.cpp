// The intrusive queue: members leave at its front and from its middle.
#include <vector>

#include "labs/kit/run/thread_state.h"
#include "labs/kit/sets/queue.h"
#include "testing/catch.h"

using namespace fiberscope;

namespace {

struct Member {
    int number = 0;
    kit::QueueLink<Member> link;
    kit::Core& core() { return *kit::this_thread().own; }  // asked for only while something is recorded
};
using Members = kit::Queue<Member, &Member::link>;

auto numbered(int number) {
    return [number](const Member& member) { return member.number == number; };
}
std::vector<int> drained(Members& queue) {
    std::vector<int> numbers;
    while (Member* member = queue.pop()) numbers.push_back(member->number);
    return numbers;
}

}  // namespace

TEST_CASE("one leaves the queue from anywhere, and the others keep their order") {
    for (int leaves = 1; leaves <= 4; ++leaves) {
        Member members[4] = {{1, {}}, {2, {}}, {3, {}}, {4, {}}};
        Members queue("queue");
        for (Member& member : members) queue.push(member);
        CHECK(queue.find(numbered(leaves)) == &members[leaves - 1]);
        CHECK(queue.size() == 4);
        CHECK(queue.pop_first(numbered(leaves)) == &members[leaves - 1]);
        CHECK(queue.find(numbered(leaves)) == nullptr);
        CHECK(queue.pop_first(numbered(leaves)) == nullptr);
        queue.push(members[leaves - 1]);
        std::vector<int> expected;
        for (int number = 1; number <= 4; ++number)
            if (number != leaves) expected.push_back(number);
        expected.push_back(leaves);
        INFO(leaves << " left, and came back to the end");
        CHECK(drained(queue) == expected);
    }
}

TEST_CASE("the only one leaves, and the queue can be filled again") {
    Member members[2] = {{1, {}}, {2, {}}};
    Members queue("queue");
    CHECK(queue.pop_first(numbered(1)) == nullptr);
    queue.push(members[0]);
    CHECK(queue.pop_first(numbered(1)) == &members[0]);
    CHECK(queue.empty());
    for (Member& member : members) queue.push(member);
    CHECK(drained(queue) == std::vector<int>{1, 2});
    CHECK(queue.find(numbered(2)) == nullptr);
}
