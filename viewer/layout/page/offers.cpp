#include "viewer/layout/page/offers.h"

#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

constexpr float kTwoColumns = 62, kColumnGap = 2;                            // em
constexpr float kOfferLine = 1.75F, kOfferHeading = 1.6F, kOfferGap = 0.3F;  // em
constexpr float kLeastAbout = 6;                                             // em

/// A column, filled from the top.
class OfferColumn {
  public:
    OfferColumn(float x0, float x1, const Metrics& metrics) : x0_(x0), x1_(x1), metrics_(metrics) {}

    void add(const OfferGroup& group, std::size_t index, OfferPage& page) {
        const float em = metrics_.em;
        page.headings[index] = {x0_, y_, x1_, y_ + kOfferHeading * em};
        y_ = page.headings[index].y1;
        float x = x0_;
        for (std::size_t i = 0; i < group.offers.size(); ++i) {
            const float width = std::min(metrics_.width(group.offers[i].name) + em, x1_ - x0_);
            if (i > 0 && (group.lines || x + width > x1_)) {
                x = x0_;
                y_ += kOfferLine * em;
            }
            const Rect name{x, y_, x + width, y_ + (kOfferLine - kOfferGap) * em};
            x += width + kOfferGap * em;
            const Rect rest{x + kOfferGap * em, name.y0, x1_, name.y1};
            const bool room = group.lines && !group.offers[i].about.empty() && rest.width() >= kLeastAbout * em;
            page.places.push_back(
                {name, room ? rest : Rect{}, fitting_beginning(metrics_, width - em, group.offers[i].name), index, i});
        }
        y_ += (kOfferLine + kOfferGap) * em;
    }
    float end() const noexcept { return y_; }

  private:
    float x0_, x1_, y_ = 0;
    const Metrics& metrics_;
};

}  // namespace

OfferPage layout_offers(float width, const std::vector<OfferGroup>& groups, const Metrics& metrics) {
    const bool two = width >= kTwoColumns * metrics.em;
    const float column = two ? (width - kColumnGap * metrics.em) / 2 : width;
    OfferColumn left(0, column, metrics), right(width - column, width, metrics);
    OfferPage page;
    page.headings.resize(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) (two && !groups[i].lines ? right : left).add(groups[i], i, page);
    page.height = std::max(left.end(), right.end());
    return page;
}

}  // namespace fiberscope::viewer
