#include "viewer/layout/page/decision_card.h"

#include <algorithm>
#include <map>

#include "traces/read/printable.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/page/card_lines.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

// In em: minimum width of a cell; heights of a title, a set, a line of text, a line of code; margins.
constexpr float kCardLeast = 25, kCardTitle = 1.5F, kCardSet = 1.8F, kCardLine = 1.3F, kCardCode = 1.25F,
                kCardAround = 0.5F, kCardGap = 0.35F;
constexpr float kCardBold = 1.15F;                           // width of bold text relative to normal text, at most
constexpr float kCardNames = 0.32F, kCardLongNames = 0.45F;  // share of the width: maximum for the names of sets
// Maximum lines of the rule; wanted lines of code; lines of code that take precedence over another set.
constexpr std::size_t kCardRule = 3, kCardWanted = 9, kCardEnough = 4;

/// Choices of the other files that differ from this one's: file numbers by coroutine name.
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

/// A member of a set, or a ghost that is in no set.
struct Item {
    std::uint32_t co = kNone;
    std::string name, key, others;
    trace::State state = trace::State::new_;
    bool there = true, chosen = false;
    bool wanted() const noexcept { return chosen || !others.empty(); }
};

class CellBuilder {
  public:
    CellBuilder(std::span<const CardFile> files, std::size_t index, const Metrics& metrics, const Metrics& code)
        : file_(files[index]),
          index_(index),
          metrics_(metrics),
          code_(code),
          em_(metrics.em),
          ghosts_(ghosts_of(files, index)) {
        find_rows();
    }

    CardCell cell(Rect area) {
        out_.rect = area;
        inner_ = area.shrunk(kCardAround * em_);
        share_height();
        float y = add_title(inner_.y0);
        for (std::size_t row = 0; row < rows_; ++row, y += kCardSet * em_) add_row(order_[row], y);
        for (const std::string& line : rule_) y = add_line(out_.rule.emplace_back(), line, y);
        if (source_) y = add_line(out_.source, source_words(), y);
        if (code_lines_ > 0) add_code(y);
        return std::move(out_);
    }

    float wanted_height(float width) {
        inner_ = {0, 0, width - 2 * kCardAround * em_, 1e6F};
        write_rule(kCardRule);
        return em_ * (2 * kCardAround + kCardTitle + kCardSet * static_cast<float>(order_.size()) +
                      kCardLine * static_cast<float>(rule_.size() + (file_.lines.empty() ? 0 : 1)) +
                      kCardCode * static_cast<float>(std::min(kCardWanted, file_.lines.size())));
    }

  private:
    /// Index into DecisionFacts::sets; kNowhereElse: the row of ghosts that are in no set.
    static constexpr std::size_t kNowhereElse = static_cast<std::size_t>(-1);

    std::string name_of(std::uint32_t co) const { return file_.trace->name(co); }

    /// Order: the set of the chosen coroutine, sets with ghosts, the other sets.
    void find_rows() {
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

    /// Divides the height in order of priority: one set, the rule and the deciding line; some code; sets; more code.
    void share_height() {
        float left = inner_.height() / em_ - kCardTitle;
        const auto take = [&](float height) {
            if (left < height) return false;
            left -= height;
            return true;
        };
        rows_ = !order_.empty() && take(kCardSet) ? 1 : 0;
        const float code = file_.lines.empty() ? 0 : kCardLine + kCardCode;
        write_rule(
            std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0.0F, (left - code) / kCardLine)), 1, kCardRule));
        left -= kCardLine * static_cast<float>(rule_.size());
        source_ = code > 0 && take(code);
        if (source_ || (code > 0 && take(kCardCode))) code_lines_ = 1;
        const auto more_code = [&](std::size_t most) {
            while (code_lines_ > 0 && code_lines_ < std::min(most, file_.lines.size()) && take(kCardCode))
                ++code_lines_;
        };
        more_code(kCardEnough);
        while (rows_ < order_.size() && take(kCardSet)) ++rows_;
        more_code(file_.lines.size());
    }

    void write_rule(std::size_t most) {
        const float width = inner_.width();
        rule_ = wrapped(metrics_, width, width, file_.facts.rule, most);
        for (float room = width * static_cast<float>(most); rule_.empty() && room > 0.4F * width; room -= 2 * em_)
            rule_ = wrapped(metrics_, width, width, fitting_sentence(metrics_, room, file_.facts.rule, true), most);
    }

    float add_title(float y) {
        out_.title = {{inner_.x0, y, inner_.x1, y + kCardTitle * em_}, {}};
        if (const std::size_t hidden = order_.size() - rows_; hidden > 0) {
            out_.more.words = metrics_.says("{0} more {0:set|sets}", hidden);
            out_.more.rect = out_.title.rect;
            out_.more.rect.x0 = inner_.x1 - metrics_.width(out_.more.words);
            out_.title.rect.x1 = out_.more.rect.x0 - 0.5F * em_;
        }
        const std::string number = std::to_string(index_ + 1);
        out_.title.words =
            number + "  " +
            fitting_lane_name(metrics_, out_.title.rect.width() / kCardBold - metrics_.width(number + "  "),
                              file_.name);
        return y + kCardTitle * em_;
    }

    float add_line(CardText& line, const std::string& words, float y) const {
        line = {{inner_.x0, y, inner_.x1, y + kCardLine * em_}, words};
        return y + kCardLine * em_;
    }

    // ---- sets -------------------------------------------------------------------------------------------------------

    std::string row_name(std::size_t row) const {
        return row == kNowhereElse ? metrics_.says("in no set") : file_.facts.sets[row].name;
    }
    /// Shortens "new of processor 0, buffer 1" to "new 0 1": the numbers distinguish it from the others.
    std::string fitting_set(float width, const std::string& name) const {
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
    float names_width() const {
        float width = 0;
        for (std::size_t i = 0; i < rows_; ++i) {
            const std::string name = row_name(order_[i]);
            const bool long_one = static_cast<unsigned char>(name[0]) >= 0x80U;  // not in an alphabetic script
            width = std::max(width, std::min(kCardBold * metrics_.width(name) + 2.2F * em_,
                                             (long_one ? kCardLongNames : kCardNames) * inner_.width()));
        }
        return width;
    }

    void add_row(std::size_t which, float y) {
        CardRow row;
        row.rect = {inner_.x0, y, inner_.x1, y + kCardSet * em_};
        row.name.rect = {row.rect.x0, y, row.rect.x0 + names_width(), row.rect.y1};
        if (which != kNowhereElse)
            row.count.words = trace::grouped(static_cast<std::int64_t>(file_.facts.sets[which].members.size()));
        const float count = metrics_.width(row.count.words);
        row.count.rect = {row.name.rect.x1 - count - 0.5F * em_, y, row.name.rect.x1, row.rect.y1};
        row.name.words = fitting_set((row.name.rect.width() - count - em_) / kCardBold, row_name(which));
        if (which == kNowhereElse)
            add_elsewhere(row);
        else
            add_members(file_.facts.sets[which], row);
        out_.rows.push_back(std::move(row));
    }

    Item item(const trace::Member& member) const {
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
    bool is_wanted(const trace::Member& member) const {
        return member.co != kNone && (member.co == file_.facts.co || ghosts_.contains(name_of(member.co)));
    }

    float width_of(const Item& item, bool keys, float most = 1e9F) const {
        const float least = least_width(item);
        return std::clamp(most, least, least + 0.7F * em_ + metrics_.width(words_of(item, keys)));
    }
    /// Room for the letter of the state and the numbers of the other files.
    float least_width(const Item& item) const {
        return 1.3F * em_ + (item.others.empty() ? 0 : metrics_.width(item.others) + 0.9F * em_);
    }
    static std::string words_of(const Item& item, bool keys) {
        return keys && !item.key.empty() ? item.name + "  " + item.key : item.name;
    }

    /// Ringed members and ghosts are placed first, each at its position in the set.
    void add_members(const SetBefore& set, CardRow& row) const {
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
    float share(float room, const std::vector<Item>& items, bool keys) const {
        std::vector<float> widths, least;
        for (const Item& its : items) {
            widths.push_back(width_of(its, keys));
            least.push_back(least_width(its));
            room -= kCardGap * em_;
        }
        return common_width(room, widths, least);
    }

    bool fits_with_keys(const SetBefore& set, const CardRow& row) const {
        float x = row.name.rect.x1;
        for (const trace::Member& member : set.members) {
            x += width_of(item(member), true) + kCardGap * em_;
            if (x > row.rect.x1) return false;
        }
        return true;
    }

    /// A ghost that is in no set, with its state in this file.
    Item lost(const std::string& name, const std::string& others) const {
        Item its{kNone, name, metrics_.says("does not exist"), others, trace::State::new_, false, false};
        for (std::uint32_t co = 0; co < file_.facts.states.size() && !its.there; ++co) {
            if (!file_.facts.exists[co] || name_of(co) != name) continue;
            its.there = true;
            its.state = file_.facts.states[co];
            its.key = trace::state_name(*file_.trace, its.state, metrics_.language);
        }
        return its;
    }
    void add_elsewhere(CardRow& row) const {
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
    float add_box(const Item& item, bool keys, float x, float width, CardRow& row) const {
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

    // ---- the source -------------------------------------------------------------------------------------------------

    std::string source_words() const {
        const std::string file = file_.source.substr(file_.source.rfind('/') + 1);
        const std::string step =
            file_.facts.chose ? title_of(*file_.facts.chose, metrics_.language) + ":  " : std::string();
        return first_fitting(metrics_, inner_.width(), {step + file_.source, file_.source, step + file, file});
    }

    void add_code(float y) {
        const float numbers = code_.width("8888");
        for (const std::size_t i : lines_in_card(file_, code_lines_)) {
            const SourceLine& its = file_.lines[i];
            CardLine line;
            line.rect = {inner_.x0, y, inner_.x1, y + kCardCode * em_};
            if (its.number > 0) line.number = std::to_string(its.number);
            line.text_x = inner_.x0 + numbers;
            line.chose = its.chose;
            line.text =
                fitting_code(code_, inner_.x1 - line.text_x, its,
                             file_.facts.chose ? std::string_view(file_.facts.chose->inside) : std::string_view());
            out_.lines.push_back(std::move(line));
            y += kCardCode * em_;
        }
    }

    const CardFile& file_;
    std::size_t index_;
    const Metrics &metrics_, &code_;
    float em_;
    Ghosts ghosts_, elsewhere_;
    std::vector<std::size_t> order_;
    Rect inner_;
    std::size_t rows_ = 0, code_lines_ = 0;
    bool source_ = false;  // the file name fits
    std::vector<std::string> rule_;
    CardCell out_;
};

std::size_t cells_in_a_row(std::size_t files, float width, float em) noexcept {
    const auto fit = static_cast<std::size_t>(std::max(1.0F, width / (kCardLeast * em)));
    const std::size_t most = std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(1, files));
    const std::size_t rows = (files + most - 1) / most;
    return rows == 0 ? 1 : (files + rows - 1) / rows;
}

}  // namespace

DecisionCard layout_decision_card(std::span<const CardFile> files, Rect area, const Metrics& metrics,
                                  const Metrics& code) {
    DecisionCard card;
    card.rect = area;
    const float em = metrics.em;
    card.caption.rect = {area.x0 + kCardAround * em, area.y1 - kCardLine * em, area.x1 - kCardAround * em, area.y1};
    card.caption.words =
        first_fitting(metrics, card.caption.rect.width(),
                      {metrics.says("Ringed: runs next. Dashed: runs next in the file with that number instead. The "
                                    "sets are as before the decision."),
                       metrics.says("Ringed: runs next. Dashed: runs next in the file with that number instead."), ""});
    const std::size_t columns = cells_in_a_row(files.size(), area.width(), em);
    const std::size_t rows = (files.size() + columns - 1) / columns;
    const float width = area.width() / static_cast<float>(columns),
                height = (card.caption.rect.y0 - area.y0) / static_cast<float>(rows);
    for (std::size_t f = 0; f < files.size(); ++f) {
        const float x = area.x0 + width * static_cast<float>(f % columns),
                    y = area.y0 + height * static_cast<float>(f / columns);
        card.cells.push_back(CellBuilder(files, f, metrics, code).cell({x, y, x + width, y + height}));
    }
    return card;
}

float wanted_card_height(std::span<const CardFile> files, float width, const Metrics& metrics) {
    const std::size_t columns = cells_in_a_row(files.size(), width, metrics.em);
    const std::size_t rows = (files.size() + columns - 1) / columns;
    float most = 0;
    for (std::size_t f = 0; f < files.size(); ++f)
        most =
            std::max(most, CellBuilder(files, f, metrics, metrics).wanted_height(width / static_cast<float>(columns)));
    return most * static_cast<float>(rows) + kCardLine * metrics.em;
}

}  // namespace fiberscope::viewer
