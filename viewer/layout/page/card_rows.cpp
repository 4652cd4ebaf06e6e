#include "viewer/layout/page/card_rows.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {

using trace::kNone;

/// A member of a set, or a ghost that is in no set.
struct CardRows::Item {
    std::uint32_t co = kNone;
    std::string name, key, others;
    trace::State state = trace::State::new_;
    bool there = true, chosen = false;
    bool wanted() const noexcept { return chosen || !others.empty(); }
};

namespace {

constexpr float kCardGap = 0.35F;                            // in em
constexpr float kCardNames = 0.32F, kCardLongNames = 0.45F;  // share of the width: maximum for the names of sets
/// The row of ghosts that are in no set.
constexpr std::size_t kNowhereElse = static_cast<std::size_t>(-1);

using Ghosts = std::map<std::string, std::string>;

Ghosts ghosts_of(std::span<const CardFile> files, std::size_t index) {
    const auto name_of = [](const CardFile& file) {
        return file.facts.co == kNone ? std::string() : file.trace->name(file.facts.co);
    };
    const std::string own = name_of(files[index]);
    Ghosts ghosts;
    for (std::size_t f = 0; f < files.size(); ++f)
        if (const std::string its = name_of(files[f]); f != index && !its.empty() && its != own)
            ghosts[its] += (ghosts[its].empty() ? "" : " ") + std::to_string(f + 1);
    return ghosts;
}

}  // namespace

CardRows::CardRows(std::span<const CardFile> files, std::size_t index, const Metrics& metrics)
    : file_(files[index]), metrics_(metrics), em_(metrics.em), ghosts_(ghosts_of(files, index)) {
    find_rows();
}

std::string CardRows::name_of(std::uint32_t co) const { return file_.trace->name(co); }

/// Order: the set of the chosen coroutine, sets with ghosts, the other sets.
void CardRows::find_rows() {
    Ghosts left = ghosts_;
    const auto& sets = file_.facts.sets;
    std::vector<std::size_t> plain;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        bool wanted = sets[i].set == file_.facts.set;
        for (const trace::Member& member : sets[i].members)
            if (member.co != kNone && left.erase(name_of(member.co)) > 0) wanted = true;
        (wanted ? order_ : plain).push_back(i);
    }
    elsewhere_ = std::move(left);
    if (!elsewhere_.empty()) order_.push_back(kNowhereElse);
    order_.insert(order_.end(), plain.begin(), plain.end());
}

std::string CardRows::row_name(std::size_t row) const {
    return row == kNowhereElse ? metrics_.says("in no set") : file_.facts.sets[row].name;
}
/// Shortens "new of processor 0, buffer 1" to "new 0 1": the numbers distinguish it from the others.
std::string CardRows::fitting_set(float width, const std::string& name) const {
    std::string brief = name.substr(0, name.find(' '));
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] < '0' || name[i] > '9') continue;
        if (i == 0 || name[i - 1] < '0' || name[i - 1] > '9') brief += ' ';
        brief += name[i];
    }
    return metrics_.width(name) <= width || brief.find(' ') == std::string::npos || metrics_.width(brief) > width
               ? fitting_lane_name(metrics_, width + 0.2F * em_, name)
               : brief;
}
float CardRows::names_width(std::size_t count, float width) const {
    float widest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = row_name(order_[i]);
        const bool long_one = static_cast<unsigned char>(name[0]) >= 0x80U;  // not in an alphabetic script
        widest = std::max(widest, std::min(kCardBold * metrics_.width(name) + 2.2F * em_,
                                           (long_one ? kCardLongNames : kCardNames) * width));
    }
    return widest;
}

CardRow CardRows::row(std::size_t which, Rect area, float names) const {
    const std::size_t set = order_[which];
    CardRow row;
    row.rect = area;
    row.name.rect = {area.x0, area.y0, area.x0 + names, area.y1};
    if (set != kNowhereElse)
        row.count.words = trace::grouped(static_cast<std::int64_t>(file_.facts.sets[set].members.size()));
    const float count = metrics_.width(row.count.words);
    row.count.rect = {row.name.rect.x1 - count - 0.5F * em_, area.y0, row.name.rect.x1, area.y1};
    row.name.words = fitting_set((row.name.rect.width() - count - em_) / kCardBold, row_name(set));
    if (set == kNowhereElse)
        add_elsewhere(row);
    else
        add_members(file_.facts.sets[set], row);
    return row;
}

CardRows::Item CardRows::item(const trace::Member& member) const {
    Item out;
    out.co = member.co;
    out.name = item_name(*file_.trace, member.co, member.timer, metrics_.language);
    if (member.key != kNone) out.key = key_in_words(trace::printable(file_.trace->text(member.key)));
    if (member.co == kNone) return out;
    out.state = file_.facts.states[member.co];
    out.chosen = member.co == file_.facts.co;
    const auto ghost = ghosts_.find(out.name);
    if (ghost != ghosts_.end()) out.others = ghost->second;
    return out;
}
bool CardRows::is_wanted(const trace::Member& member) const {
    return member.co != kNone && (member.co == file_.facts.co || ghosts_.contains(name_of(member.co)));
}

float CardRows::width_of(const Item& item, bool keys, float most) const {
    const float least = least_width(item);
    return std::clamp(most, least, least + 0.7F * em_ + metrics_.width(words_of(item, keys)));
}
/// Room for the letter of the state and the numbers of the other files.
float CardRows::least_width(const Item& item) const {
    return 1.3F * em_ + (item.others.empty() ? 0 : metrics_.width(item.others) + 0.9F * em_);
}
std::string CardRows::words_of(const Item& item, bool keys) {
    return keys && !item.key.empty() ? item.name + "  " + item.key : item.name;
}

/// Ringed members and ghosts are placed first, each at its position in the set.
void CardRows::add_members(const SetBefore& set, CardRow& row) const {
    const bool keys = fits_with_keys(set, row);
    const std::size_t size = set.members.size();
    std::vector<Item> must_be;
    for (const trace::Member& member : set.members)
        if (is_wanted(member)) must_be.push_back(item(member));
    std::size_t wanted = must_be.size();
    const std::string all = "+" + trace::grouped(static_cast<std::int64_t>(size));
    const float more = wanted == size ? 0 : metrics_.width(all) + 2 * kCardGap * em_;
    float needed = 0, x = row.name.rect.x1;
    const float most = share(row.rect.x1 - x - more, must_be, keys);
    for (const Item& its : must_be) needed += width_of(its, keys, most) + kCardGap * em_;
    std::size_t skipped = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const bool must = is_wanted(set.members[i]);
        if (!must && skipped++ > 0) continue;
        const Item its = item(set.members[i]);
        const float width = width_of(its, keys, must ? most : 1e9F);
        if (must) needed -= width + kCardGap * em_, --wanted;
        const bool last = i + 1 + wanted == size;
        if (!must && x + width + kCardGap * em_ + needed + (last ? 0 : more) > row.rect.x1) {
            row.more.rect = {x + kCardGap * em_, row.rect.y0, x + more, row.rect.y1};
            x += more;
            continue;
        }
        if (!must) skipped = 0;
        x = add_box(its, keys, x, width, row);
    }
    if (skipped > 0) row.more.words = "+" + trace::grouped(static_cast<std::int64_t>(skipped));
}
float CardRows::share(float room, const std::vector<Item>& items, bool keys) const {
    std::vector<float> widths, least;
    for (const Item& its : items) {
        widths.push_back(width_of(its, keys));
        least.push_back(least_width(its));
        room -= kCardGap * em_;
    }
    return common_width(room, widths, least);
}

bool CardRows::fits_with_keys(const SetBefore& set, const CardRow& row) const {
    float x = row.name.rect.x1;
    for (const trace::Member& member : set.members) {
        x += width_of(item(member), true) + kCardGap * em_;
        if (x > row.rect.x1) return false;
    }
    return true;
}

/// A ghost that is in no set, with its state in this file.
CardRows::Item CardRows::lost(const std::string& name, const std::string& others) const {
    Item its{kNone, name, metrics_.says("does not exist"), others, trace::State::new_, false, false};
    for (std::uint32_t co = 0; co < file_.facts.states.size() && !its.there; ++co) {
        if (!file_.facts.exists[co] || name_of(co) != name) continue;
        its.there = true;
        its.state = file_.facts.states[co];
        its.key = trace::state_name(*file_.trace, its.state, metrics_.language);
    }
    return its;
}
void CardRows::add_elsewhere(CardRow& row) const {
    float x = row.name.rect.x1, sum = 0;
    std::vector<Item> items;
    for (const auto& [name, others] : elsewhere_) {
        items.push_back(lost(name, others));
        sum += width_of(items.back(), true) + kCardGap * em_;
    }
    const bool states = x + sum <= row.rect.x1;
    const float most = share(row.rect.x1 - x, items, states);
    for (const Item& its : items) x = add_box(its, states, x, width_of(its, states, most), row);
}

/// Returns the x of the next box.
float CardRows::add_box(const Item& item, bool keys, float x, float width, CardRow& row) const {
    CardBox box;
    box.rect = {x, row.rect.y0 + 0.12F * kCardSet * em_, x + width, row.rect.y1 - 0.12F * kCardSet * em_};
    box.state = item.state;
    box.there = item.there;
    box.chosen = item.chosen;
    box.others = item.others;
    float room = box.rect.width() - 1.7F * em_;
    if (!box.others.empty()) {
        const float others = metrics_.width(box.others) + 0.6F * em_;
        box.others_rect = {box.rect.x1 - others, box.rect.y0, box.rect.x1, box.rect.y1};
        room -= others;
    }
    box.name = fitting_lane_name(metrics_, room + 0.2F * em_, words_of(item, keys));
    if (box.name.empty()) box.name = fitting_name(metrics_, room + 0.2F * em_, item.name);
    row.boxes.push_back(std::move(box));
    return x + width + kCardGap * em_;
}

}  // namespace fiberscope::viewer
