#include "traces/replay/set_view.h"

#include <algorithm>
#include <unordered_map>

namespace fiberscope::trace {
namespace {

class SetReader {
  public:
    SetReader(const Trace& trace, const Cells& cells, const ReplayLayout& layout, SetNow& view)
        : trace_(trace),
          cells_(cells),
          nodes_(layout.nodes[view.index]),
          cells_of_set_(layout.set(view.index)),
          view_(view) {}

    void read() {
        read_declaration();
        read_members();
        view_.nodes.clear();
        view_.coming = kNone;
        view_.gone = view_.before = {};
        if (view_.structure == Structure::rbtree) {
            find_operation();
            read_tree();
        }
        if (view_.structure == Structure::heap || view_.structure == Structure::wheel)
            std::stable_sort(view_.members.begin(), view_.members.end(),
                             [](const Member& a, const Member& b) { return a.at < b.at; });
    }

  private:
    std::uint32_t get(Cells::Address a) const noexcept { return cells_.read(a); }

    void read_declaration() {
        const Event& e = trace_[get(cells_of_set_ + set_cell::declaration)];
        view_.name = e.text;
        view_.key = e.other;
        view_.role = e.first<Role>();
        view_.structure = e.second<Structure>();
        const std::uint32_t given = get(cells_of_set_ + set_cell::given_event);
        view_.owner = given == kNone ? e.x : trace_[given].y;
        view_.slots = e.y;
        view_.root = get(cells_of_set_ + set_cell::root);
        const std::uint32_t hand = get(cells_of_set_ + set_cell::hand_event);
        view_.hand = hand == kNone ? kAbsent : trace_[hand].x;
    }

    void read_members() {
        view_.members.clear();
        for (std::uint32_t m = get(cells_of_set_ + set_cell::head); m != kNone; m = get(m + member_cell::next)) {
            const Event& inserted = trace_[get(m + member_cell::insert_event)];
            const Event& placed = trace_[get(m + member_cell::at_event)];
            view_.members.push_back({inserted.co, inserted.other, inserted.text, placed.x,
                                     get(m + member_cell::insert_event), get(m + member_cell::at_event)});
        }
    }

    // Index in nodes_, or nodes_.size().
    std::size_t find(std::uint32_t id) const noexcept {
        const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), id,
                                            [](const auto& node, std::uint32_t wanted) { return node.first < wanted; });
        return found != nodes_.end() && found->first == id ? static_cast<std::size_t>(found - nodes_.begin())
                                                           : nodes_.size();
    }

    /// `before`: as it was before the event at the playhead.
    TreeNode node(std::size_t index, bool before = false) const noexcept {
        const Cells::Address cells = nodes_[index].second;
        const auto read = [&](std::uint32_t field) {
            return before ? cells_.read_before(cells + field) : cells_.read(cells + field);
        };
        const std::uint32_t color = read(node_cell::color);
        return {nodes_[index].first, read(node_cell::left), read(node_cell::right), read(node_cell::parent),
                color == kNone ? Color::none : static_cast<Color>(color)};
    }
    void add_node(std::size_t index) { view_.nodes.push_back(node(index)); }

    // In-order traversal. Visits each node at most once, even if the links are invalid.
    void read_reachable() {
        std::vector<bool> seen(nodes_.size(), false);
        std::vector<std::size_t> path;
        std::uint32_t next = view_.root;
        for (;;) {
            const std::size_t index = find(next);
            if (index < nodes_.size() && !seen[index]) {
                seen[index] = true;
                path.push_back(index);
                next = get(nodes_[index].second + node_cell::left);
                continue;
            }
            if (path.empty()) return;
            add_node(path.back());
            next = get(nodes_[path.back()].second + node_cell::right);
            path.pop_back();
        }
    }

    bool concerns(const Event& e) const noexcept {
        return (e.kind == Kind::link || e.kind == Kind::insert || e.kind == Kind::remove) && e.set == view_.index;
    }

    // The links of an operation come before its `insert` or `remove`, with little between them.
    void find_operation() noexcept {
        constexpr std::size_t kFar = 512;
        const std::size_t at = cells_.at(), first = at > kFar ? at - kFar : 0;
        std::size_t last = at;
        while (last > first && !concerns(trace_[last - 1])) --last;
        if (last == first) return;
        const Event& e = trace_[last - 1];
        if (e.kind == Kind::remove) {
            const std::size_t index = find(e.co != kNone ? e.co : e.other);
            if (index < nodes_.size()) view_.gone = node(index);
        }
        if (e.kind != Kind::link) return;
        if (const std::size_t index = find(e.co); last == at && e.e1 != link_field::root && index < nodes_.size())
            view_.before = node(index, true);
        for (std::size_t n = at; n < std::min(trace_.size(), at + kFar) && view_.coming == kNone; ++n)
            if (concerns(trace_[n]) && trace_[n].kind != Kind::link) view_.coming = static_cast<std::uint32_t>(n);
    }

    // The nodes of the tree in key order, then those that an operation in progress has not (re)linked yet.
    void read_tree() {
        read_reachable();
        std::unordered_map<std::uint32_t, std::size_t> rank;
        for (const TreeNode& node : view_.nodes) rank.emplace(node.id, rank.size());
        const auto id = [](const Member& m) { return m.co != kNone ? m.co : m.timer; };
        const std::size_t linked = rank.size();
        for (const Member& m : view_.members) {
            const std::size_t index = find(id(m));
            if (index < nodes_.size() && rank.emplace(id(m), linked).second) add_node(index);
        }
        if (view_.coming != kNone) {
            const Event& e = trace_[view_.coming];
            const std::uint32_t entering = e.co != kNone ? e.co : e.other;
            const std::size_t index = find(entering);
            if (index < nodes_.size() && rank.emplace(entering, linked).second) add_node(index);
        }
        const auto rank_of = [&](const Member& m) {
            const auto found = rank.find(id(m));
            return found == rank.end() ? linked : found->second;
        };
        std::stable_sort(view_.members.begin(), view_.members.end(),
                         [&](const Member& a, const Member& b) { return rank_of(a) < rank_of(b); });
    }

    const Trace& trace_;
    const Cells& cells_;
    const std::vector<std::pair<std::uint32_t, Cells::Address>>& nodes_;
    Cells::Address cells_of_set_;
    SetNow& view_;
};

}  // namespace

void read_set(const Trace& trace, const Cells& cells, const ReplayLayout& layout, std::uint32_t index, SetNow& view) {
    view.index = index;
    SetReader(trace, cells, layout, view).read();
}

}  // namespace fiberscope::trace
