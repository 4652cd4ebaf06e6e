// The intrusive tree: members stay sorted through insertions and removals, and it stays balanced.
#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/run/thread_state.h"
#include "labs/kit/sets/tree.h"
#include "testing/catch.h"

using namespace fiberscope;

namespace {

int comparisons = 0;

struct Member {
    int key = 0;
    std::uint64_t order = 0;
    kit::TreeNode node;
    kit::Core& core() { return *kit::this_thread().own; }  // only called while recording
    std::pair<int, std::uint64_t> place() const { return {key, order}; }
};
bool stands_before(const Member& a, const Member& b) {
    ++comparisons;
    return a.place() < b.place();
}
std::string key_of(const Member& member) { return std::to_string(member.key); }
using Members = kit::Tree<Member, &Member::node, &stands_before>;

std::vector<std::pair<int, std::uint64_t>> in_order(const Members& tree) {
    std::vector<std::pair<int, std::uint64_t>> places;
    for (const Member* member = tree.first(); member != nullptr; member = tree.after(*member))
        places.push_back(member->place());
    return places;
}

}  // namespace

TEST_CASE("members that leave and return, in any order, stay sorted") {
    std::mt19937 random(1);
    std::vector<Member> members(24);
    Members tree = Members::keyed<&key_of>("tree", trace::Role::wait, "key");
    std::set<std::pair<int, std::uint64_t>> model;
    std::uint64_t order = 0;
    for (int step = 0; step < 20'000; ++step) {
        Member& member = members[random() % (step % 2'000 < 200 ? 2 : members.size())];
        if (tree.contains(member)) {
            tree.remove(member);
            model.erase(member.place());
        } else {
            if (random() % 4 == 0) member.key = static_cast<int>(random() % 12);
            member.order = ++order;
            tree.insert(member);
            model.insert(member.place());
        }
        REQUIRE(in_order(tree) == std::vector(model.begin(), model.end()));
    }
}

namespace {
bool smaller_key(const Member& a, const Member& b) { return a.key < b.key; }
}  // namespace

TEST_CASE("equal members are in order of insertion") {
    using Equals = kit::Tree<Member, &Member::node, &smaller_key>;
    Equals tree = Equals::keyed<&key_of>("tree", trace::Role::wait, "key");
    std::vector<Member> members(40);
    for (std::size_t i = 0; i < members.size(); ++i) {
        members[i].key = static_cast<int>(i % 4);
        members[i].order = i;
        tree.insert(members[i]);
    }
    for (const std::size_t again : {8U, 20U}) {
        tree.remove(members[again]);
        members[again].order = members.size() + again;
        tree.insert(members[again]);
    }
    std::vector<std::pair<int, std::uint64_t>> places;
    for (const Member* member = tree.first(); member != nullptr; member = tree.after(*member))
        places.push_back(member->place());
    CHECK(places.size() == members.size());
    CHECK(std::is_sorted(places.begin(), places.end()));
}

TEST_CASE("a lookup of one of a thousand members takes at most 20 comparisons, in any order of insertion") {
    std::vector<Member> members(1'000);
    Members tree = Members::keyed<&key_of>("tree", trace::Role::wait, "key");
    int most = 0;
    for (int i = 0; i < 1'000; ++i) {
        Member& member = members[static_cast<std::size_t>(i)];
        member.key = i;
        comparisons = 0;
        tree.insert(member);
        most = std::max(most, comparisons);
    }
    CHECK(most <= 20);  // twice the logarithm of 1,000
    CHECK(most >= 10);
    for (Member& member : members) tree.remove(member);
    CHECK(tree.empty());
}
