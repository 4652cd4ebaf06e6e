#include "viewer/layout/sets/tree_shape.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "traces/replay/natural_order.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

/// Larger trees are ordered by their links, not by their keys.
constexpr std::size_t kSorted = 256;

class Shaper {
  public:
    Shaper(const trace::Trace& trace, const trace::SetNow& set) : trace_(trace), set_(set) {}

    TreeShape shape() {
        link();
        order();
        hang();
        measure();
        return std::move(out_);
    }

  private:
    std::size_t place(std::uint32_t id) const {
        const auto found = places_.find(id);
        return found == places_.end() ? kNowhere : found->second;
    }

    void link() {
        for (std::size_t i = 0; i < set_.nodes.size(); ++i) places_.emplace(set_.nodes[i].id, i);
        for (const trace::TreeNode& node : set_.nodes) {
            TreePlace& at = out_.nodes.emplace_back();
            at.left = place(node.left);
            at.right = place(node.right);
            at.parent = place(node.parent);
            at.member = kNowhere;
        }
        out_.root = place(set_.root);
    }

    /// By key, equal keys in insertion order; includes a node that is being inserted.
    void order() {
        out_.by_column.resize(out_.nodes.size());
        std::iota(out_.by_column.begin(), out_.by_column.end(), std::size_t{0});
        struct Key {
            std::string_view text;
            std::uint32_t inserted = kNone;
        };
        std::vector<Key> keys(out_.nodes.size());
        for (std::size_t i = 0; i < set_.members.size(); ++i) {
            const trace::Member& member = set_.members[i];
            const std::size_t at = place(member.co != kNone ? member.co : member.timer);
            if (at == kNowhere) continue;
            keys[at] = {trace_.text(member.key).bytes(), member.inserted};
            out_.nodes[at].member = i;
        }
        if (set_.coming != kNone) {
            const trace::Event& e = trace_[set_.coming];
            const std::size_t at = place(e.co != kNone ? e.co : e.other);
            if (at != kNowhere && e.kind == trace::Kind::insert) keys[at] = {trace_.text(e.text).bytes(), set_.coming};
        }
        const bool all = std::none_of(keys.begin(), keys.end(), [](const Key& key) { return key.text.empty(); });
        if (all && keys.size() <= kSorted)
            std::stable_sort(out_.by_column.begin(), out_.by_column.end(), [&](std::size_t a, std::size_t b) {
                const int order = trace::compare_naturally(keys[a].text, keys[b].text);
                return order != 0 ? order < 0 : keys[a].inserted < keys[b].inserted;
            });
        for (std::size_t column = 0; column < out_.by_column.size(); ++column)
            out_.nodes[out_.by_column[column]].column = column;
    }

    /// Assigns levels to `top` and to all its descendants that have none yet.
    void hang_from(std::size_t top, std::size_t level, bool loose) {
        std::vector<std::size_t> row{top};
        out_.nodes[top].level = level;
        out_.nodes[top].loose = loose;
        hung_[top] = true;
        while (!row.empty()) {
            const std::size_t at = row.back();
            row.pop_back();
            visited_.push_back(at);
            for (const std::size_t child : {out_.nodes[at].left, out_.nodes[at].right}) {
                if (child == kNowhere || hung_[child]) continue;
                hung_[child] = true;
                above_[child] = at;
                out_.nodes[child].level = out_.nodes[at].level + 1;
                out_.nodes[child].loose = loose;
                row.push_back(child);
            }
        }
    }

    /// Level of a node that no child link leads to: below its parent, or above its child, if these have one.
    std::size_t level_of_loose(std::size_t top) const {
        const TreePlace& at = out_.nodes[top];
        if (at.parent != kNowhere && hung_[at.parent] && at.parent != at.left && at.parent != at.right)
            return out_.nodes[at.parent].level + 1;
        for (const std::size_t child : {at.left, at.right})
            if (child != kNowhere && hung_[child]) return std::max<std::size_t>(1, out_.nodes[child].level) - 1;
        return 0;
    }

    void hang() {
        hung_.assign(out_.nodes.size(), false);
        above_.assign(out_.nodes.size(), kNowhere);
        std::vector<bool> child(out_.nodes.size(), false);
        for (const TreePlace& at : out_.nodes)
            for (const std::size_t c : {at.left, at.right})
                if (c != kNowhere) child[c] = true;
        // A node above the root may already be linked: then the root is below it.
        std::size_t top = out_.root;
        for (std::size_t i = 0; i < out_.nodes.size() && top != kNowhere && child[top]; ++i)
            if (out_.nodes[i].left == out_.root || out_.nodes[i].right == out_.root) top = i;
        if (top != kNowhere) hang_from(top, 0, false);
        for (const bool tops_only : {true, false})
            for (std::size_t i = 0; i < out_.nodes.size(); ++i)
                if (!hung_[i] && (!tops_only || !child[i])) hang_from(i, level_of_loose(i), true);
        if (top != out_.root) mark_above_root();
    }

    /// Nodes above the root, and other descendants of these, are not reachable from it.
    void mark_above_root() {
        for (TreePlace& at : out_.nodes) at.loose = true;
        std::vector<std::size_t> open{out_.root};
        while (!open.empty()) {
            TreePlace& at = out_.nodes[open.back()];
            open.pop_back();
            if (!at.loose) continue;
            at.loose = false;
            for (const std::size_t child : {at.left, at.right})
                if (child != kNowhere) open.push_back(child);
        }
    }

    /// In visited_, each node follows its parent.
    void measure() {
        for (auto at = visited_.rbegin(); at != visited_.rend(); ++at)
            if (above_[*at] != kNowhere) out_.nodes[above_[*at]].size += out_.nodes[*at].size;
    }

    const trace::Trace& trace_;
    const trace::SetNow& set_;
    TreeShape out_;
    std::unordered_map<std::uint32_t, std::size_t> places_;
    std::vector<bool> hung_;
    std::vector<std::size_t> above_, visited_;
};

}  // namespace

TreeShape shape_of(const trace::Trace& trace, const trace::SetNow& set) { return Shaper(trace, set).shape(); }

TreeShape heap_shape(const trace::SetNow& set, std::size_t& held) {
    const std::size_t size = set.members.size();
    TreeShape out;
    out.nodes.resize(size);
    std::vector<std::size_t> by_time(size), in_hand;
    std::iota(by_time.begin(), by_time.end(), std::size_t{0});
    std::stable_sort(by_time.begin(), by_time.end(),
                     [&](std::size_t a, std::size_t b) { return set.members[a].placed < set.members[b].placed; });
    for (TreePlace& at : out.nodes) at.member = kNowhere;
    for (const std::size_t m : by_time) {
        const std::int64_t at = set.members[m].at;
        std::size_t displaced = m;
        if (at >= 0 && at < static_cast<std::int64_t>(size))
            std::swap(displaced, out.nodes[static_cast<std::size_t>(at)].member);
        if (displaced != kNowhere) in_hand.push_back(displaced);
    }
    std::size_t next = 0;
    for (std::size_t place = 0; place < size; ++place) {
        TreePlace& at = out.nodes[place];
        if (at.member == kNowhere) {
            at.member = in_hand[next++];
            at.loose = true;
            if (held == kNowhere) held = place;
        }
        at.level = std::bit_width(place + 1) - 1;
        at.left = 2 * place + 1 < size ? 2 * place + 1 : kNowhere;
        at.right = 2 * place + 2 < size ? 2 * place + 2 : kNowhere;
        at.parent = place == 0 ? kNowhere : (place - 1) / 2;
        out.by_column.push_back(place);
    }
    for (std::size_t place = size; place-- > 1;) out.nodes[out.nodes[place].parent].size += out.nodes[place].size;
    out.root = size == 0 ? kNowhere : 0;
    return out;
}

trace::SetNow turned(trace::SetNow set, const trace::Rotation& r, bool after) {
    const std::uint32_t top = after ? r.up : r.at, below = after ? r.at : r.up;
    for (trace::TreeNode& node : set.nodes) {
        std::uint32_t& inner = (node.id == r.at) == r.left ? node.right : node.left;
        if (node.id == top || node.id == below) {
            inner = node.id == top ? below : r.inner;
            node.parent = node.id == top ? r.above : top;
        } else if (node.id == r.inner) {
            node.parent = below;
        } else if (node.id == r.above) {
            (node.left == r.at || node.left == r.up ? node.left : node.right) = top;
        }
    }
    if (r.above == kNone) set.root = top;
    return set;
}

std::optional<trace::SetNow> with_gone(const trace::SetNow& set, const trace::Event& left) {
    const std::uint32_t id = left.co != kNone ? left.co : left.other;
    if (set.gone.id != id) return std::nullopt;
    for (const trace::TreeNode& node : set.nodes)
        if (node.id == id) return std::nullopt;
    trace::SetNow whole = set;
    whole.nodes.push_back({id, kNone, kNone, set.gone.parent, set.gone.color});
    whole.members.push_back({left.co, left.other, left.text, left.x, 0, 0});
    return whole;
}

}  // namespace fiberscope::viewer
