#include "viewer/layout/sets.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "traces/words.h"
#include "viewer/layout/fitting.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

// In em: heights of a row of a queue, of the space before the trees, of one of several rows of trees, of a single one;
// widths of the gutter for steals, of a tree at least, of two columns of queues at least, of a queue that takes one
// line only, of one whose words are short.
constexpr float kRow = 1.85F, kBetween = 0.5F, kLeastHeight = 6, kLowest = 4.6F;
constexpr float kGutter = 2.8F, kLeastTree = 15, kTwoColumns = 60, kNarrow = 20, kFewBoxes = 13;
constexpr std::size_t kManyQueues = 5;
constexpr std::size_t kMostLines = 3;

bool is_tree(const SetFacts& set) noexcept { return set.structure == trace::Structure::rbtree; }

/// The declared sets that are trees, or those that are not: those who can run first, those of no machine first.
std::vector<std::uint32_t> in_order(const TraceIndex& index, bool trees) {
    std::vector<std::uint32_t> sets;
    for (std::uint32_t set = 0; set < index.sets(); ++set)
        if (index.set(set).declared && is_tree(index.set(set)) == trees) sets.push_back(set);
    const auto key = [&](std::uint32_t set) {
        const SetFacts& facts = index.set(set);
        return std::tuple(facts.role, facts.owner, set);  // no owner is the least of all
    };
    std::sort(sets.begin(), sets.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    return sets;
}

std::size_t columns_for(std::size_t queues, float width, float em) noexcept {
    return queues > kManyQueues && width > kTwoColumns * em ? 2 : 1;
}

std::size_t tree_columns(std::size_t trees, float width, float em) noexcept {
    const auto fit = static_cast<std::size_t>(std::max(1.0F, width / (kLeastTree * em)));
    return std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(1, trees));
}

class Maker {
  public:
    explicit Maker(const SetsRequest& request)
        : request_(request),
          trace_(request.replay.trace()),
          em_(request.metrics.em),
          now_(request.index.sets(), nullptr),
          queues_(in_order(request.index, false)),
          trees_(in_order(request.index, true)) {
        for (const trace::SetNow& set : request.replay.sets()) now_[set.index] = &set;
        if (request.replay.at() > 0) event_ = &trace_[request.replay.at() - 1];
    }

    Sets sets() {
        const float bottom = add_queues();
        add_trees({request_.area.x0, bottom, request_.area.x1, request_.area.y1});
        add_steal();
        say_left_out();
        return std::move(out_);
    }

  private:
    std::string name_of(std::uint32_t set) const {
        const std::string name(trace_.set_name(set));
        const std::int64_t owner = request_.index.set(set).owner;
        if (owner == trace::kAbsent) return name;
        const std::string number = ' ' + std::to_string(owner);
        return says(name, "machine" + number) || says(name, "processor" + number) ? name : name + ", machine" + number;
    }
    /// Whether the words stand in the name, and the number at their end does not go on.
    static bool says(const std::string& name, const std::string& words) {
        const std::size_t at = name.find(words);
        if (at == std::string::npos) return false;
        const std::size_t end = at + words.size();
        return end == name.size() || name[end] < '0' || name[end] > '9';
    }

    /// Returns where they end.
    float add_queues() {
        if (queues_.empty()) return request_.area.y0;
        const Rect& area = request_.area;
        const std::size_t columns = columns_for(queues_.size(), area.width(), em_);
        const std::size_t rows = (queues_.size() + columns - 1) / columns;
        const float gutter = request_.index.steals().empty() ? 0 : kGutter * em_;
        const float width = area.width() / static_cast<float>(columns);
        measure_titles(width);
        const bool narrow = width - gutter - titles_ < kNarrow * em_;
        const float height = kRow * em_ * static_cast<float>(narrow ? 1 : lines_for(rows));
        for (std::size_t i = 0; i < queues_.size(); ++i) {
            const float x = area.x0 + width * static_cast<float>(i / rows);
            const float y = area.y0 + height * static_cast<float>(i % rows);
            if (y + kRow * em_ > area.y1) {
                ++left_out_;
                continue;
            }
            const float last = std::min(y + height, area.y1);
            out_.queues.push_back(queue(queues_[i], {x + gutter, y, x + width - 0.5F * em_, last}));
        }
        return area.y0 + height * static_cast<float>(rows) + kBetween * em_;
    }

    /// Lines for each queue: more than one only where nothing else needs the room.
    std::size_t lines_for(std::size_t rows) const {
        if (!trees_.empty()) return 1;
        const float lines = request_.area.height() / (kRow * em_ * static_cast<float>(rows));
        return std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1.0F, lines)), 1, kMostLines);
    }

    void measure_titles(float width) {
        for (const std::uint32_t set : queues_)
            titles_ = std::max(titles_, 1.15F * request_.metrics.width(name_of(set)));
        const float words = request_.metrics.width("8,888 that can run") + em_;
        const float count = request_.metrics.width("8,888") + em_;
        titles_ = std::min(titles_ + (titles_ + words < 0.36F * width ? words : count), 0.45F * width);
    }

    QueueRow queue(std::uint32_t index, Rect r) const {
        QueueRow row;
        row.rect = r;
        row.title = {r.x0, r.y0, r.x0 + titles_, r.y0 + kRow * em_};
        row.set = index;
        row.name = name_of(index);
        const trace::SetNow* set = now_[index];
        if (set == nullptr) {
            row.words = "not yet";
            return row;
        }
        const std::string count = trace::grouped(static_cast<std::int64_t>(set->members.size()));
        const bool timers = set->role == trace::Role::timer;
        row.words = first_fitting(request_.metrics, titles_ - 1.15F * request_.metrics.width(row.name) - em_,
                                  {count + (timers ? " " : " that ") + std::string(doing_of(set->role)), count});
        float x = row.title.x1;
        if (event_ != nullptr && event_->kind == trace::Kind::remove && event_->set == index) {
            row.left = item_name(event_->co, event_->other) + " leaves";
            row.left_rect = {x, r.y0, x + request_.metrics.width(row.left) + em_, r.y0 + kRow * em_};
            x = row.left_rect.x1;
        }
        add_boxes(*set, x, row);
        return row;
    }

    std::string item_name(std::uint32_t co, std::uint32_t timer) const {
        return co != kNone ? trace_.name(co) : "timer " + std::to_string(timer);
    }

    void add_boxes(const trace::SetNow& set, float x, QueueRow& row) const {
        const bool narrow = row.rect.x1 - x < kFewBoxes * em_;
        if (set.structure == trace::Structure::queue && !set.members.empty() && !narrow) {
            row.head = {x, row.rect.y0, x + request_.metrics.width("head") + 0.9F * em_, row.title.y1};
            x = row.head.x1;
        }
        const float start = x, gap = 0.3F * em_;
        float y = row.rect.y0;
        for (std::size_t i = 0; i < set.members.size(); ++i) {
            QueueBox box = box_of(set, i);
            const float wanted = request_.metrics.width(box.name) + 2.2F * em_;
            const std::string rest = trace::grouped(static_cast<std::int64_t>(set.members.size() - i));
            const std::string more = narrow ? "+" + rest : "and " + rest + " more";
            const bool last_line = y + 2 * kRow * em_ > row.rect.y1 + 1;
            const bool last = i + 1 == set.members.size();
            const float reserve = last_line && !last ? request_.metrics.width(more) + 0.6F * em_ : 0;
            const float width = std::min(wanted, row.rect.x1 - start - reserve);
            if (width < 2.2F * em_) return;  // no room for anybody: the title says how many there are
            if (x + width + reserve > row.rect.x1 && x > start) {
                if (last_line) {
                    row.more = more;
                    row.more_rect = {x, y, row.rect.x1, y + kRow * em_};
                    return;
                }
                x = start;
                y += kRow * em_;
            }
            box.rect = {x, y + 0.1F * kRow * em_, x + width, y + 0.9F * kRow * em_};
            box.name = fitting_name(request_.metrics, width - 1.8F * em_, box.name);
            x = box.rect.x1 + gap;
            row.boxes.push_back(std::move(box));
        }
    }

    QueueBox box_of(const trace::SetNow& set, std::size_t i) const {
        const trace::Member& member = set.members[i];
        QueueBox box;
        box.co = member.co;
        box.name = item_name(member.co, member.timer);
        if (member.co != kNone) box.state = request_.replay.coroutine(member.co).state;
        const std::string key = member.key == kNone ? "" : ", " + std::string(trace_.text(member.key));
        box.detail = box.name + key + ": number " + std::to_string(i + 1) + " of " +
                     std::to_string(set.members.size()) + " in " + name_of(set.index);
        box.now = event_ != nullptr && event_->kind == trace::Kind::insert && event_->set == set.index &&
                  member.inserted + std::size_t{1} == request_.replay.at();
        return box;
    }

    void add_trees(Rect area) {
        if (trees_.empty()) return;
        const std::size_t columns = tree_columns(trees_.size(), area.width(), em_);
        const std::size_t wanted = (trees_.size() + columns - 1) / columns;
        const auto fit = static_cast<std::size_t>(std::max(1.0F, area.height() / (kLeastHeight * em_)));
        const std::size_t rows = std::min(wanted, fit);
        const float height = area.height() / static_cast<float>(rows);
        if (area.height() < kLowest * em_) {
            left_out_ += trees_.size();
            return;
        }
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t first = row * columns, last = std::min(trees_.size(), first + columns);
            const float y = area.y0 + height * static_cast<float>(row);
            add_row_of_trees({area.x0, y, area.x1, y + height}, first, last);
        }
        left_out_ += trees_.size() - std::min(trees_.size(), rows * columns);
    }

    /// A tree that grows larger gets more of the width, but none less than half of what all alike would get.
    void add_row_of_trees(Rect area, std::size_t first, std::size_t last) {
        const auto weight = [&](std::size_t i) {
            return static_cast<float>(std::clamp<std::uint32_t>(request_.index.set(trees_[i]).most, 4, 16));
        };
        float sum = 0;
        for (std::size_t i = first; i < last; ++i) sum += weight(i);
        const auto count = static_cast<float>(last - first);
        float x = area.x0;
        for (std::size_t i = first; i < last; ++i) {
            const float share = 0.5F / count + 0.5F * weight(i) / sum;
            const Rect r{x, area.y0, x + area.width() * share - em_, area.y1};
            x += area.width() * share;
            out_.trees.push_back(tree(trees_[i], r));
        }
    }

    TreeView tree(std::uint32_t index, Rect r) const {
        TreeView view;
        if (now_[index] != nullptr) {
            view = layout_tree(request_.replay, *now_[index], r, request_.metrics);
        } else {
            view.rect = r;
            view.title = {r.x0, r.y0, r.x1, r.y0 + 1.5F * em_};
            view.set = index;
            view.words = "not yet";
        }
        view.name = name_of(index);
        return view;
    }

    const QueueRow* local_queue(std::int64_t machine) const {
        for (const QueueRow& row : out_.queues) {
            const SetFacts& facts = request_.index.set(row.set);
            if (facts.role == trace::Role::ready && facts.owner == machine) return &row;
        }
        return nullptr;
    }

    void add_steal() {
        const std::uint32_t n = steal_at(request_.replay);
        if (n == kNone || trace_[n].other == kNone) return;
        const QueueRow* from = local_queue(trace_[n].other);
        const QueueRow* to = local_queue(trace_[n].m);
        if (from == nullptr || to == nullptr) return;
        const float x = 0.35F * kGutter * em_;
        out_.steal = StealArrow{{from->rect.x0 - x, from->title.middle_y()},
                                {to->rect.x0 - x, to->title.middle_y()},
                                trace_[n].x == trace::kAbsent ? "" : std::to_string(trace_[n].x)};
    }

    void say_left_out() {
        out_.heading = "Sets: who stands in which order";
        if (left_out_ == 0) return;
        out_.more = "and " + std::to_string(left_out_) + (left_out_ == 1 ? " more set" : " more sets");
        const float width = request_.metrics.width(out_.more) + 0.5F * em_;
        out_.heading = first_fitting(request_.metrics, (request_.area.width() - width) / 1.15F, {out_.heading, "Sets"});
        out_.more_rect = {request_.area.x1 - width, request_.area.y0 - 1.4F * em_, request_.area.x1, request_.area.y0};
    }

    const SetsRequest& request_;
    const trace::Trace& trace_;
    float em_, titles_ = 0;
    std::vector<const trace::SetNow*> now_;  // by index
    std::vector<std::uint32_t> queues_, trees_;
    const trace::Event* event_ = nullptr;  // at the playhead
    std::size_t left_out_ = 0;
    Sets out_;
};

}  // namespace

Sets layout_sets(const SetsRequest& request) { return Maker(request).sets(); }

bool has_sets_to_draw(const TraceIndex& index) noexcept {
    for (std::uint32_t set = 0; set < index.sets(); ++set) {
        const SetFacts& facts = index.set(set);
        if (facts.declared && facts.role <= trace::Role::lock) return true;
    }
    return false;
}

bool has_trees(const TraceIndex& index) noexcept { return !in_order(index, true).empty(); }

float wanted_sets_height(const TraceIndex& index, float width, float em) noexcept {
    std::size_t queues = 0, trees = 0;
    std::uint32_t largest = 0;
    for (std::uint32_t set = 0; set < index.sets(); ++set) {
        if (!index.set(set).declared) continue;
        ++(is_tree(index.set(set)) ? trees : queues);
        if (is_tree(index.set(set))) largest = std::max(largest, index.set(set).most);
    }
    const std::size_t columns = columns_for(queues, width, em);
    const float rows = static_cast<float>((queues + columns - 1) / columns);
    if (trees == 0) return em * kRow * rows * (queues == 1 ? 2.0F : 1.0F);
    const std::size_t across = tree_columns(trees, width, em);
    const float tree_rows = static_cast<float>((trees + across - 1) / across);
    return em * (kRow * rows + kBetween) + tree_rows * wanted_tree_height(largest, em);
}

std::uint32_t steal_at(const trace::Replay& replay) {
    constexpr std::size_t kFar = 64;
    const trace::Trace& trace = replay.trace();
    const std::size_t at = replay.at();
    if (at == 0) return kNone;
    const std::uint16_t machine = trace[at - 1].m;
    const auto is_steal = [&](std::size_t n) {
        return trace[n].kind == trace::Kind::machine && trace[n].first<trace::MachineOp>() == trace::MachineOp::steal;
    };
    const auto moves = [&](std::size_t n) {
        return trace[n].kind == trace::Kind::insert || trace[n].kind == trace::Kind::remove;
    };
    if (is_steal(at - 1)) return static_cast<std::uint32_t>(at - 1);
    if (!moves(at - 1)) return kNone;
    for (std::size_t n = at; n < std::min(trace.size(), at + kFar); ++n) {
        if (trace[n].m != machine) continue;
        if (is_steal(n)) return static_cast<std::uint32_t>(n);
        if (!moves(n)) break;
    }
    for (std::size_t n = at - 1; n-- > 0 && n + kFar > at;) {
        if (trace[n].m != machine) continue;
        if (is_steal(n)) return static_cast<std::uint32_t>(n);
        if (!moves(n)) break;
    }
    return kNone;
}

}  // namespace fiberscope::viewer
