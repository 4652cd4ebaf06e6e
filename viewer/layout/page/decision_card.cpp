#include "viewer/layout/page/decision_card.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"
#include "viewer/layout/page/card_lines.h"
#include "viewer/layout/page/card_rows.h"

namespace fiberscope::viewer {
namespace {

using trace::kNone;

// In em: minimum width of a cell; heights of a title, a line of text, a line of code; margins.
constexpr float kCardLeast = 25, kCardTitle = 1.5F, kCardLine = 1.3F, kCardCode = 1.25F, kCardAround = 0.5F;
// Maximum lines of the rule; wanted lines of code; lines of code that take precedence over another set.
constexpr std::size_t kCardRule = 3, kCardWanted = 9, kCardEnough = 4;

class CellBuilder {
  public:
    CellBuilder(std::span<const CardFile> files, std::size_t index, const Metrics& metrics, const Metrics& code)
        : file_(files[index]),
          index_(index),
          metrics_(metrics),
          code_(code),
          em_(metrics.em),
          sets_(files, index, metrics) {}

    CardCell cell(Rect area) {
        out_.rect = area;
        inner_ = area.shrunk(kCardAround * em_);
        share_height();
        float y = add_title(inner_.y0);
        const float names = sets_.names_width(rows_, inner_.width());
        for (std::size_t row = 0; row < rows_; ++row, y += kCardSet * em_)
            out_.rows.push_back(sets_.row(row, {inner_.x0, y, inner_.x1, y + kCardSet * em_}, names));
        for (const std::string& line : rule_) y = add_line(out_.rule.emplace_back(), line, y);
        if (source_) y = add_line(out_.source, source_words(), y);
        if (code_lines_ > 0) add_code(y);
        return std::move(out_);
    }

    float wanted_height(float width) {
        inner_ = {0, 0, width - 2 * kCardAround * em_, 1e6F};
        write_rule(kCardRule);
        return em_ * (2 * kCardAround + kCardTitle + kCardSet * static_cast<float>(sets_.size()) +
                      kCardLine * static_cast<float>(rule_.size() + (file_.lines.empty() ? 0 : 1)) +
                      kCardCode * static_cast<float>(std::min(kCardWanted, file_.lines.size())));
    }

  private:
    /// Divides the height in order of priority: one set, the rule and the deciding line; some code; sets; more code.
    void share_height() {
        float left = inner_.height() / em_ - kCardTitle;
        const auto take = [&](float height) {
            if (left < height) return false;
            left -= height;
            return true;
        };
        rows_ = sets_.size() > 0 && take(kCardSet) ? 1 : 0;
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
        while (rows_ < sets_.size() && take(kCardSet)) ++rows_;
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
        if (const std::size_t hidden = sets_.size() - rows_; hidden > 0) {
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
    CardRows sets_;
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
