// Checks that the recorded links of a set form a red-black tree whose nodes are the set's members. After an operation
// only the touched nodes and their ancestors are checked again.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "traces/read/trace.h"
#include "traces/words/names.h"

namespace fiberscope::trace {

class TreeCheck {
  public:
    /// `name` returns the printable name of a node; it and the trace must outlive this object.
    TreeCheck(const Trace& trace, bool timers) : trace_(trace), timers_(timers) {}

    void link(const Event& e);
    /// Adds or removes a member. Returns a message if the tree is then invalid, else an empty string.
    std::string insert(std::uint32_t id, std::uint32_t key);
    std::string remove(std::uint32_t id);

  private:
    struct Node {
        std::uint32_t left = kNone, right = kNone, parent = kNone, key = kNone;
        Color color = Color::none;
        bool member = false, touched = false, dirty = false;
        // Properties of the node's subtree at the last check: members, black nodes on a path, first and last node with
        // a key.
        std::uint32_t size = 0, black_height = 0, first = kNone, last = kNone;
    };
    void touch(std::uint32_t id);
    std::string verify();
    std::string mark_dirty(std::uint32_t id);
    std::string look(std::uint32_t id, std::uint32_t parent, int depth);
    std::string look_at_child(std::uint32_t id, std::uint32_t child, int depth);
    std::string check_order(std::uint32_t id) const;
    void summarize(Node& node, std::uint32_t id);
    int deepest() const noexcept;
    Value name(std::uint32_t id) const { return timers_ ? timer_value(id) : name_value(trace_, id); }
    const Node* find(std::uint32_t id) const;

    const Trace& trace_;
    bool timers_;
    std::unordered_map<std::uint32_t, Node> nodes_;
    std::vector<std::uint32_t> touched_, dirty_;
    std::uint32_t root_ = kNone;
    std::uint32_t members_ = 0;
};

}  // namespace fiberscope::trace
