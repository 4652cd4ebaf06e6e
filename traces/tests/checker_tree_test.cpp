// Invariant 8: the links of a red-black tree. Also the names of operations on trees and heaps, compared with the
// textbook's procedures.
#include <optional>
#include <random>
#include <set>

#include "testing/catch.h"
#include "testing/sanitized.h"
#include "traces/check/checker.h"
#include "traces/tests/made/event_writer.h"
#include "traces/tests/made/traced_tree.h"
#include "traces/tests/support.h"
#include "traces/words/steps.h"
#include "traces/words/words.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

// Three sleepers: 2 above 1 and 3, with `shape` replacing one of these links.
struct Shape {
    const char* root = "2";
    const char *left = "1", *right = "3";
    const char* root_color = "black";
    const char* leaf_color = "red";
    const char* parent_of_3 = "2";
    const char* key_of_1 = "10 ns";
};

std::string three_sleepers(const Shape& s) {
    EventWriter w;
    w.spawn(0, "thread");
    for (std::uint32_t co = 1; co <= 4; ++co) w.spawn(co, "task");
    w.set("sleepers", "sleep", "rbtree");
    const auto link = [&](int node, const std::string& left, const std::string& right, const std::string& parent,
                          const std::string& color) {
        w.event("\"ev\":\"link\",\"set\":\"sleepers\"," + EventWriter::number("node", node) + ",\"left\":" + left +
                ",\"right\":" + right + ",\"parent\":" + parent + ",\"color\":\"" + color + "\"");
    };
    const auto root = [&](const char* to) {
        w.event("\"ev\":\"link\",\"set\":\"sleepers\",\"root\":" + std::string(to));
    };
    link(2, "null", "null", "null", "black");
    root("2");
    w.member("insert", "sleepers", 2, R"(,"key":"20 ns")");
    link(1, "null", "null", "2", "red");
    link(2, "1", "null", "null", "black");
    w.member("insert", "sleepers", 1, ",\"key\":\"" + std::string(s.key_of_1) + "\"");
    link(3, "null", "null", s.parent_of_3, s.leaf_color);
    link(2, s.left, s.right, "null", s.root_color);
    if (std::string(s.root) != "2") root(s.root);
    w.member("insert", "sleepers", 3, R"(,"key":"30 ns")");
    return document(w.text());
}

void breaks(const Shape& shape, const std::string& why, std::size_t event) {
    const auto broken = check(read_text(three_sleepers(shape)));
    REQUIRE(broken);
    INFO(fiberscope::english_of(broken->why));
    CHECK(broken->invariant == 8);
    CHECK(broken->event == event);
    CHECK(fiberscope::english_of(broken->why).find(why) != std::string::npos);
}

/// Main and the tasks with numbers below `items`, which sleep in a tree or leave it.
struct Sleepers {
    explicit Sleepers(std::uint32_t items) : tree(writer, "sleepers", items) {
        writer.spawn(0, "thread");
        for (std::uint32_t co = 1; co < items; ++co) writer.spawn(co, "task");
        writer.set("sleepers", "sleep", "rbtree");
    }
    Trace trace() const { return read_text(document(writer.text())); }

    EventWriter writer;
    TracedTree tree;
};

constexpr std::size_t kLast = 14, kInsert1 = 11;

/// A red-black tree by the procedures of Cormen and others, chapter 13, verbatim; reports each rotation and its case.
/// Item 0 is the sentinel.
class Textbook {
  public:
    explicit Textbook(std::uint32_t items) : nodes_(items) {}

    void insert(std::uint32_t z, std::uint64_t key) {
        nodes_[z] = {0, 0, 0, true, key};
        std::uint32_t y = 0;
        for (std::uint32_t x = root_; x != 0; x = key < nodes_[x].key ? nodes_[x].left : nodes_[x].right) y = x;
        nodes_[z].parent = y;
        (y == 0 ? root_ : key < nodes_[y].key ? nodes_[y].left : nodes_[y].right) = z;
        while (nodes_[nodes_[z].parent].red) {
            const std::uint32_t parent = nodes_[z].parent, above = nodes_[parent].parent;
            const bool left = parent == nodes_[above].left;
            Node& uncle = nodes_[child(above, !left)];
            if (uncle.red) {
                nodes_[parent].red = uncle.red = false;
                nodes_[above].red = true;
                z = above;
                continue;
            }
            if (z == child(parent, !left)) rotate(z = parent, left, " case 2 of insert");
            nodes_[nodes_[z].parent].red = false;
            nodes_[above].red = true;
            rotate(above, !left, " case 3 of insert");
        }
        nodes_[root_].red = false;
    }

    void remove(std::uint32_t z) {
        std::uint32_t x = 0;
        bool red = nodes_[z].red;
        if (nodes_[z].left == 0 || nodes_[z].right == 0) {
            transplant(z, x = nodes_[z].left == 0 ? nodes_[z].right : nodes_[z].left);
        } else {
            std::uint32_t y = nodes_[z].right;
            while (nodes_[y].left != 0) y = nodes_[y].left;
            red = nodes_[y].red;
            x = nodes_[y].right;
            if (y == nodes_[z].right) {
                nodes_[x].parent = y;
            } else {
                transplant(y, x);
                nodes_[nodes_[y].right = nodes_[z].right].parent = y;
            }
            transplant(z, y);
            nodes_[nodes_[y].left = nodes_[z].left].parent = y;
            nodes_[y].red = nodes_[z].red;
        }
        if (!red) repair(x);
    }
    const std::vector<std::string>& names() const { return names_; }

  private:
    struct Node {
        std::uint32_t left = 0, right = 0, parent = 0;
        bool red = false;
        std::uint64_t key = 0;
    };
    std::uint32_t& child(std::uint32_t of, bool left) { return left ? nodes_[of].left : nodes_[of].right; }

    void rotate(std::uint32_t x, bool left, const char* why) {
        names_.push_back((left ? "left " : "right ") + std::to_string(x) + why);
        const std::uint32_t y = child(x, !left), p = nodes_[x].parent;
        child(x, !left) = child(y, left);
        if (child(y, left) != 0) nodes_[child(y, left)].parent = x;
        nodes_[y].parent = p;
        (p == 0 ? root_ : child(p, x == nodes_[p].left)) = y;
        child(y, left) = x;
        nodes_[x].parent = y;
    }
    void transplant(std::uint32_t u, std::uint32_t v) {
        const std::uint32_t p = nodes_[u].parent;
        (p == 0 ? root_ : child(p, u == nodes_[p].left)) = v;
        nodes_[v].parent = p;
    }
    void repair(std::uint32_t x) {
        while (x != root_ && !nodes_[x].red) {
            const std::uint32_t p = nodes_[x].parent;
            const bool left = x == nodes_[p].left;
            std::uint32_t w = child(p, !left);
            if (nodes_[w].red) {
                nodes_[w].red = false;
                nodes_[p].red = true;
                rotate(p, left, " case 1 of remove");
                w = child(p, !left);
            }
            if (!nodes_[nodes_[w].left].red && !nodes_[nodes_[w].right].red) {
                nodes_[w].red = true;
                x = p;
                continue;
            }
            if (!nodes_[child(w, !left)].red) {
                nodes_[child(w, left)].red = false;
                nodes_[w].red = true;
                rotate(w, !left, " case 3 of remove");
                w = child(p, !left);
            }
            nodes_[w].red = nodes_[p].red;
            nodes_[p].red = nodes_[child(w, !left)].red = false;
            rotate(p, left, " case 4 of remove");
            x = root_;
        }
        nodes_[x].red = false;
    }

    std::vector<Node> nodes_;
    std::uint32_t root_ = 0;
    std::vector<std::string> names_;
};

/// The rotations of a trace, in order.
std::vector<std::string> rotations_of(const Trace& trace) {
    std::vector<std::string> names;
    std::size_t end = 0;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        const auto rotation = rotation_at(trace, n);
        if (!rotation || rotation->first < end) continue;
        end = rotation->last + 1;
        names.push_back((rotation->left ? "left " : "right ") + std::to_string(rotation->at) + " case " +
                        std::to_string(rotation->number) +
                        (rotation->operation == Kind::insert ? " of insert" : " of remove"));
    }
    return names;
}

}  // namespace

TEST_CASE("invariant 8: a sound tree is found sound") { CHECK_FALSE(check(read_text(three_sleepers({})))); }

TEST_CASE("invariant 8: each defect of a tree is reported") {
    breaks({.right = "null"}, "co2 is the parent of co3, but has no such child", kLast);
    breaks({.parent_of_3 = "1"}, "co1 is the parent of co3, but has no such child", kLast);
    breaks({.parent_of_3 = "null"}, "co3 has no parent, but is not the root", kLast);
    breaks({.root_color = "red"}, "both co2 and its child co1 are red", kLast);
    breaks({.leaf_color = "black"}, "0 black nodes on the left of co2 and 1 on the right", kLast);
    breaks({.key_of_1 = "25 ns"}, "co1 (25 ns) precedes co2 (20 ns)", kInsert1);
    breaks({.left = "3", .right = "1"}, "co3 (30 ns) precedes co2 (20 ns)", kLast);
    breaks({.left = "4"}, "co4 is in the tree, but is not a member of the set", kLast);
    breaks({.left = "3"}, "both children of co2 are co3", kLast);
    breaks({.root = "3"}, "co2 has no parent, but is not the root", kLast + 1);
    breaks({.root = "null"}, "co2 has no parent, but is not the root", kLast + 1);
}

TEST_CASE("invariant 8: a real tree of thousands of sleepers, rotations recorded, is found sound") {
    std::mt19937 random(4);
    constexpr std::uint32_t kItems = 10000 / fiberscope::testing::kStride;
    Sleepers sleepers(kItems);
    for (std::uint32_t co = 1; co < kItems; ++co) sleepers.tree.insert(co, random() % 5000);
    for (std::uint32_t co = 1; co < kItems; co += 2) sleepers.tree.remove(co);
    const auto broken = check(sleepers.trace());
    if (broken) FAIL("event " << broken->event << ": " << broken->why);
}

TEST_CASE("each rotation of random trees is named, as in the textbook's procedures, and nothing else is") {
    std::set<std::string> kinds;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        constexpr std::uint32_t kItems = 60;
        Sleepers sleepers(kItems);
        Textbook textbook(kItems);
        std::vector<bool> inside(kItems, false);
        for (int step = 0; step < 400; ++step) {
            const auto co = static_cast<std::uint32_t>(1 + random() % (kItems - 1));
            const std::uint64_t key = random() % 40;
            if (inside[co]) {
                sleepers.tree.remove(co);
                textbook.remove(co);
            } else {
                sleepers.tree.insert(co, key);
                textbook.insert(co, key);
            }
            inside[co] = !inside[co];
        }
        INFO(seed);
        CHECK(rotations_of(sleepers.trace()) == textbook.names());
        for (const std::string& name : textbook.names())
            kinds.insert(name.substr(0, name.find(' ')) + name.substr(name.find(" case")));
    }
    CHECK(kinds.size() == 10);  // two directions of two cases of an insert and three of a remove
}

TEST_CASE("a rotation is named in the sentence of each of its links, and of no other") {
    Sleepers sleepers(4);
    for (std::uint32_t co = 1; co <= 3; ++co) sleepers.tree.insert(co, co);
    const Trace trace = sleepers.trace();
    std::optional<Rotation> rotation;
    for (std::size_t n = 0; n < trace.size() && !rotation; ++n) rotation = rotation_at(trace, n);
    REQUIRE(rotation);
    CHECK((rotation->at == 1 && rotation->up == 2 && rotation->inner == kNone && rotation->above == kNone));
    const std::string name = "in sleepers: left-rotate at co1, case 3 of insert: ";
    for (std::size_t n = 0; n < trace.size(); ++n)
        CHECK(describe(trace, n).starts_with(name) == (n >= rotation->first && n <= rotation->last));
    CHECK(describe(trace, rotation->last) == name + "the root is now co2");
}

TEST_CASE("a move in a heap is part of a sift up or down, or of none") {
    EventWriter w;
    w.spawn(0, "thread");
    for (std::uint32_t co = 1; co <= 6; ++co) w.spawn(co, "task");
    w.set("timers", "sleep", "heap");
    const auto at = [&](const char* what, std::uint32_t co, int place) {
        w.member(what, "timers", co, "," + EventWriter::number("at", place));
    };
    for (std::uint32_t co = 1; co <= 5; ++co) at("insert", co, static_cast<int>(co) - 1);
    at("insert", 6, 5);
    at("move", 3, 5);  // its parent moves down, and so does the root
    at("move", 1, 2);
    at("move", 6, 0);
    at("remove", 6, 0);
    at("move", 1, 0);  // its child moves up, and the last one takes its place
    at("move", 3, 2);
    at("remove", 2, 1);
    at("move", 5, 1);  // fills the hole and stays
    const Trace trace = read_text(document(w.text()));
    std::vector<std::string> said;
    for (std::size_t n = 0; n < trace.size(); ++n)
        if (trace.kind(n) == Kind::move) said.push_back(describe(trace, n));
    CHECK(said == std::vector<std::string>{
                      "in timers: sift-up of co6: co3 moves to 5", "in timers: sift-up of co6: co1 moves to 2",
                      "in timers: sift-up of co6: co6 moves to 0", "in timers: sift-down of co3: co1 moves to 0",
                      "in timers: sift-down of co3: co3 moves to 2", "co5 moves to 1 in timers"});
}
