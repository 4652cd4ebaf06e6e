// The intrusive table: numbers of members, in order of insertion, through insertions and removals.
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "labs/kit/run/thread_state.h"
#include "labs/kit/sets/table.h"
#include "testing/catch.h"

using namespace fiberscope;

namespace {

struct Member {
    int number = 0;
    kit::TreeNode node;
    kit::Core& core() { return *kit::this_thread().own; }  // only called while recording
};
std::string key_of(const Member& member) { return std::to_string(member.number); }
using Members = kit::Table<Member, &Member::node, &Member::number>;

std::vector<const Member*> all_of(const Members& table, int number) {
    std::vector<const Member*> all;
    for (const Member* member = table.first_of(number); member != nullptr; member = table.next_of(*member))
        all.push_back(member);
    return all;
}

}  // namespace

TEST_CASE("members that leave a table and return, in any order, are found by their numbers") {
    std::mt19937 random(1);
    std::vector<Member> members(24);
    Members table("table", trace::Role::wait, "number", &key_of);
    std::map<int, std::vector<const Member*>> model;
    std::size_t inside = 0;
    for (int step = 0; step < 20'000; ++step) {
        Member& member = members[random() % members.size()];
        if (table.contains(member)) {
            table.remove(member);
            std::erase(model[member.number], &member);
            --inside;
        } else {
            if (random() % 4 == 0) member.number = static_cast<int>(random() % 7);
            table.insert(member);
            model[member.number].push_back(&member);
            ++inside;
        }
        REQUIRE(table.size() == inside);
        REQUIRE(table.empty() == (inside == 0));
        for (int number = 0; number < 7; ++number) REQUIRE(all_of(table, number) == model[number]);
    }
}

TEST_CASE("a number that was never in a table, or is negative, finds nothing") {
    Members table("table", trace::Role::wait, "number", &key_of);
    CHECK(table.first_of(0) == nullptr);
    Member member;
    member.number = 1'000;
    table.insert(member);
    CHECK(table.first_of(1'000) == &member);
    CHECK(table.first_of(999) == nullptr);
    CHECK(table.first_of(1'000'000) == nullptr);
    CHECK(table.first_of(-1) == nullptr);
    table.remove(member);
    CHECK(table.first_of(1'000) == nullptr);
}
