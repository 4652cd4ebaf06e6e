#include "traces/tests/made/traced_tree.h"

#include <boost/intrusive/rbtree_algorithms.hpp>

namespace fiberscope::trace::testing {
namespace {

struct Node {
    Node *left = nullptr, *right = nullptr, *parent = nullptr;
    bool red = false;
    std::uint32_t item = 0;
    std::uint64_t key = 0;
};

/// Destination of the link writes of the tree being changed; the header node is not an item.
struct Sink {
    EventWriter* writer = nullptr;
    std::string set;
    Node* header = nullptr;

    std::string of(const Node* node) const { return node && node != header ? std::to_string(node->item) : "null"; }
    void link(const Node* node, const char* field, const std::string& value) const {
        writer->event(EventWriter::word("ev", "link") + "," + EventWriter::word("set", set) + "," +
                      EventWriter::number("node", node->item) + ",\"" + field + "\":" + value);
    }
};
Sink* sink = nullptr;  // Boost's traits are static

struct Traits {
    using node = Node;
    using node_ptr = Node*;
    using const_node_ptr = const Node*;
    enum class color { red, black };

    static node_ptr get_left(const_node_ptr n) { return n->left; }
    static node_ptr get_right(const_node_ptr n) { return n->right; }
    static node_ptr get_parent(const_node_ptr n) { return n->parent; }
    static color get_color(const_node_ptr n) { return n->red ? color::red : color::black; }
    static color black() { return color::black; }
    static color red() { return color::red; }
    static void set_left(node_ptr n, node_ptr to) { set(n, n->left, to, "left"); }
    static void set_right(node_ptr n, node_ptr to) { set(n, n->right, to, "right"); }
    static void set_parent(node_ptr n, node_ptr to) {
        if (n == sink->header && n->parent != to)
            sink->writer->event(EventWriter::word("ev", "link") + "," + EventWriter::word("set", sink->set) +
                                ",\"root\":" + sink->of(to));
        set(n, n->parent, to, "parent");
    }
    static void set_color(node_ptr n, color c) {
        n->red = c == color::red;
        if (n != sink->header) sink->link(n, "color", n->red ? "\"red\"" : "\"black\"");
    }

  private:
    static void set(node_ptr n, node_ptr& field, node_ptr to, const char* name) {
        field = to;
        if (n != sink->header) sink->link(n, name, sink->of(to));
    }
};
using Tree = boost::intrusive::rbtree_algorithms<Traits>;

}  // namespace

struct TracedTree::Impl {
    std::vector<Node> nodes;
    Node header;
    Sink to;
};

TracedTree::TracedTree(EventWriter& writer, std::string set, std::uint32_t items) : impl_(std::make_unique<Impl>()) {
    impl_->nodes.resize(items);
    for (std::uint32_t i = 0; i < items; ++i) impl_->nodes[i].item = i;
    impl_->to = {&writer, std::move(set), &impl_->header};
    sink = &impl_->to;
    Tree::init_header(&impl_->header);
}

TracedTree::~TracedTree() = default;

void TracedTree::insert(std::uint32_t item, std::uint64_t key) {
    sink = &impl_->to;
    Node& node = impl_->nodes[item];
    node.key = key;
    Tree::insert_equal_upper_bound(&impl_->header, &node, [](const Node* a, const Node* b) { return a->key < b->key; });
    impl_->to.writer->member("insert", impl_->to.set, item, ",\"key\":\"" + std::to_string(key) + " ns\"");
}

void TracedTree::remove(std::uint32_t item) {
    sink = &impl_->to;
    Node& node = impl_->nodes[item];
    Tree::erase(&impl_->header, &node);
    impl_->to.writer->member("remove", impl_->to.set, item, ",\"key\":\"" + std::to_string(node.key) + " ns\"");
}

bool TracedTree::empty() const { return impl_->header.parent == nullptr; }
std::uint32_t TracedTree::first() const { return impl_->header.left->item; }
std::uint64_t TracedTree::key(std::uint32_t item) const { return impl_->nodes[item].key; }

}  // namespace fiberscope::trace::testing
