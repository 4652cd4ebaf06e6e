#include "labs/kit/sets/tree.h"

#include <boost/intrusive/rbtree_algorithms.hpp>

#include "labs/kit/run/details.h"

namespace fiberscope::kit {

// Node traits for Boost's algorithms.
struct PlainTraits {
    using node = TreeNode;
    using node_ptr = TreeNode*;
    using const_node_ptr = const TreeNode*;
    using color = trace::Color;

    static node_ptr get_left(const_node_ptr n) { return n->left; }
    static node_ptr get_right(const_node_ptr n) { return n->right; }
    static node_ptr get_parent(const_node_ptr n) { return n->parent(); }
    static color get_color(const_node_ptr n) { return n->color(); }
    static color black() { return color::black; }
    static color red() { return color::red; }
    static void set_left(node_ptr n, node_ptr to) { n->left = to; }
    static void set_right(node_ptr n, node_ptr to) { n->right = to; }
    static void set_parent(node_ptr n, node_ptr to) { n->set_parent(to); }
    static void set_color(node_ptr n, color c) { n->set_color(c); }
};

namespace {

using Plain = boost::intrusive::rbtree_algorithms<PlainTraits>;

// The tree being changed, since Boost's traits are static. No switch happens meanwhile.
__thread TreeLinks* changing = nullptr;

}  // namespace

// As PlainTraits, but records changes. The header is not a node of the tree: its parent is the root.
struct TracedTraits : PlainTraits {
    static void set_left(node_ptr n, node_ptr to) {
        tell(n, n->left, to, trace::link_field::left);
        n->left = to;
    }
    static void set_right(node_ptr n, node_ptr to) {
        tell(n, n->right, to, trace::link_field::right);
        n->right = to;
    }
    static void set_parent(node_ptr n, node_ptr to) {
        const bool moves = n->parent() != to;
        tell(n, n->parent(), to, trace::link_field::parent);
        n->set_parent(to);
        if (is_header(n) && moves) record(trace::root_event(changing->set_.index(), number(to)));
    }
    static void set_color(node_ptr n, color c) {
        if (!is_header(n) && n->color() != c) record(trace::color_event(changing->set_.index(), number(n), c));
        n->set_color(c);
    }

  private:
    static bool is_header(const_node_ptr n) { return n == &changing->header_; }
    static std::uint32_t number(const_node_ptr n) {
        return n == nullptr || is_header(n) ? trace::kNone : changing->item_of_(*n).id;
    }
    static void record(const trace::Event& event) { changing->set_.linked(event); }
    static void tell(node_ptr n, node_ptr before, node_ptr to, std::uint8_t field) {
        if (!is_header(n) && before != to)
            record(trace::link_event(changing->set_.index(), number(n), field, number(to)));
    }
};

namespace {

using Traced = boost::intrusive::rbtree_algorithms<TracedTraits>;

}  // namespace

TreeLinks::TreeLinks(const char* name, trace::Role role, const char* key, KeyOf key_of, ItemOf item_of) noexcept
    : set_(name, role, trace::Structure::rbtree, key), key_of_(key_of), item_of_(item_of) {
    Plain::init_header(&header_);
}

namespace {
template <class Algorithms>
void insert_into(TreeNode& header, TreeNode& parent, bool left, TreeNode& node) {
    typename Algorithms::insert_commit_data place;
    place.node = &parent;
    place.link_left = left;
    Algorithms::insert_unique_commit(&header, &node, place);
}
}  // namespace

void TreeLinks::insert_below(TreeNode& parent, bool left, TreeNode& node) {
    node.set_inside(true);
    ++size_;
    if (trace::recording() && records_details()) [[unlikely]] {
        changing = this;
        insert_into<Traced>(header_, parent, left, node);
    } else {
        insert_into<Plain>(header_, parent, left, node);
    }
    if (trace::recording()) [[unlikely]]
        set_.inserted(item_of_(node), key_of_(node));
}

void TreeLinks::remove(TreeNode& node) {
    node.set_inside(false);
    --size_;
    if (trace::recording() && records_details()) [[unlikely]] {
        changing = this;
        Traced::erase(&header_, &node);
    } else {
        Plain::erase(&header_, &node);
    }
    if (trace::recording()) [[unlikely]]
        set_.removed(item_of_(node), key_of_(node));
}

TreeNode* TreeLinks::after(const TreeNode& node) const noexcept {
    TreeNode* next = Plain::next_node(const_cast<TreeNode*>(&node));
    return next == &header_ ? nullptr : next;
}

}  // namespace fiberscope::kit
