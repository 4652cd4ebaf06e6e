#include "traces/check/tree_check.h"

#include <bit>

#include "traces/read/printable.h"
#include "traces/replay/natural_order.h"

namespace fiberscope::trace {

const TreeCheck::Node* TreeCheck::find(std::uint32_t id) const {
    const auto found = nodes_.find(id);
    return found == nodes_.end() ? nullptr : &found->second;
}

void TreeCheck::touch(std::uint32_t id) {
    Node& node = nodes_[id];
    if (node.touched) return;
    node.touched = true;
    touched_.push_back(id);
}

void TreeCheck::link(const Event& e) {
    if (e.e1 == link_field::root) {
        root_ = e.co;
        if (root_ != kNone) touch(root_);
        return;
    }
    touch(e.co);
    Node& node = nodes_[e.co];
    if (e.e1 & link_field::left) node.left = static_cast<std::uint32_t>(e.x);
    if (e.e1 & link_field::right) node.right = static_cast<std::uint32_t>(e.y);
    if (e.e1 & link_field::parent) node.parent = e.other;
    if (e.e1 & link_field::color) node.color = e.second<Color>();
}

std::string TreeCheck::insert(std::uint32_t id, std::uint32_t key) {
    touch(id);
    Node& node = nodes_[id];
    if (node.member) return message("{0} is in the tree under two keys", name(id));
    node.member = true;
    node.key = key;
    ++members_;
    return verify();
}

std::string TreeCheck::remove(std::uint32_t id) {
    touch(id);
    Node& node = nodes_[id];
    if (node.member) --members_;
    node.member = false;
    return verify();
}

// No path of a red-black tree of n nodes is longer than 2 log2(n + 1).
int TreeCheck::deepest() const noexcept { return 2 * static_cast<int>(std::bit_width(members_ + 1U)); }

// Marks a touched member and all its ancestors. A node that is not a member must not be in the tree: look() reports it.
std::string TreeCheck::mark_dirty(std::uint32_t id) {
    if (!nodes_[id].member) return {};
    int depth = 0;
    for (std::uint32_t at = id; !nodes_[at].dirty; ++depth) {
        Node& node = nodes_[at];
        node.dirty = true;
        dirty_.push_back(at);
        if (node.parent == kNone) return at == root_ ? "" : message("{0} has no parent, but is not the root", name(at));
        const Node* parent = find(node.parent);
        if (!parent || (parent->left != at && parent->right != at))
            return message("{0} is the parent of {1}, but has no such child", name(node.parent), name(at));
        if (depth > deepest()) return message("the tree is deeper than a red-black tree can be at {0}", name(id));
        at = node.parent;
    }
    return {};
}

std::string TreeCheck::check_order(std::uint32_t id) const {
    const Node& node = *find(id);
    if (node.key == kNone) return {};
    const auto wrong = [&](std::uint32_t before, std::uint32_t after) -> std::string {
        const Foreign a = trace_.text(find(before)->key), b = trace_.text(find(after)->key);
        if (compare_naturally(a.bytes(), b.bytes()) <= 0) return {};
        return message("{0} ({1}) precedes {2} ({3})", name(before), printable(a), name(after), printable(b));
    };
    const Node* left = find(node.left);
    const Node* right = find(node.right);
    if (left && left->last != kNone)
        if (std::string why = wrong(left->last, id); !why.empty()) return why;
    return right && right->first != kNone ? wrong(id, right->first) : "";
}

std::string TreeCheck::look_at_child(std::uint32_t id, std::uint32_t child, int depth) {
    if (child == kNone) return {};
    if (std::string why = look(child, id, depth + 1); !why.empty()) return why;
    if (nodes_[id].color == Color::red && nodes_[child].color == Color::red)
        return message("both {0} and its child {1} are red", name(id), name(child));
    return {};
}

void TreeCheck::summarize(Node& node, std::uint32_t id) {
    const Node* left = find(node.left);
    const Node* right = find(node.right);
    const std::uint32_t own = node.key == kNone ? kNone : id;
    const auto either = [](std::uint32_t a, std::uint32_t b) { return a != kNone ? a : b; };
    node.size = 1 + (left ? left->size : 0) + (right ? right->size : 0);
    node.black_height = (left ? left->black_height : 0) + (node.color == Color::black ? 1 : 0);
    node.first = either(left ? left->first : kNone, either(own, right ? right->first : kNone));
    node.last = either(right ? right->last : kNone, either(own, left ? left->last : kNone));
}

std::string TreeCheck::look(std::uint32_t id, std::uint32_t parent, int depth) {
    const Node* seen = find(id);
    if (!seen || !seen->member) return message("{0} is in the tree, but is not a member of the set", name(id));
    if (seen->parent != parent) {
        if (seen->parent == kNone) return message("{0} has no parent, but is the child of {1}", name(id), name(parent));
        if (parent == kNone) return message("{0} has the parent {1}, but is the root", name(id), name(seen->parent));
        return message("{0} has the parent {1}, but is the child of {2}", name(id), name(seen->parent), name(parent));
    }
    if (!seen->dirty) return {};
    if (depth > deepest()) return message("the tree is deeper than a red-black tree can be at {0}", name(id));
    if (seen->color == Color::none) return message("{0} has no colour", name(id));
    const std::uint32_t left = seen->left, right = seen->right;
    if (left != kNone && left == right) return message("both children of {0} are {1}", name(id), name(left));
    for (const std::uint32_t child : {left, right})
        if (std::string why = look_at_child(id, child, depth); !why.empty()) return why;
    if (std::string why = check_order(id); !why.empty()) return why;
    const auto height = [&](std::uint32_t child) { return child == kNone ? 0U : nodes_[child].black_height; };
    if (height(left) != height(right))
        return message("there are {0} black nodes on the left of {1} and {2} on the right", height(left), name(id),
                       height(right));
    summarize(nodes_[id], id);
    return {};
}

std::string TreeCheck::verify() {
    std::string why;
    for (const std::uint32_t id : touched_) {
        nodes_[id].touched = false;
        if (why.empty()) why = mark_dirty(id);
    }
    touched_.clear();
    if (why.empty() && root_ != kNone) {
        why = look(root_, kNone, 0);
        if (why.empty() && nodes_[root_].color != Color::black) why = message("the root {0} is not black", name(root_));
    }
    const std::uint32_t size = root_ == kNone ? 0 : nodes_[root_].size;
    if (why.empty() && size != members_)
        why = message("the tree has {0} nodes, but the set has {1} members", size, members_);
    for (const std::uint32_t id : dirty_) nodes_[id].dirty = false;
    dirty_.clear();
    return why;
}

}  // namespace fiberscope::trace
