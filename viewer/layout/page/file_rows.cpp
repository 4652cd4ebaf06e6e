#include "viewer/layout/page/file_rows.h"

#include <algorithm>

#include "viewer/layout/page/frame.h"

namespace fiberscope::viewer {
namespace {

constexpr float kBesideTitle = 1.7F, kBesideLeast = 7.0F;  // heights in em: a title, a row with its title and ruler
constexpr float kBesideSecond = 1.3F;                      // em: a second line of a title
constexpr float kBesidePresented = 9.5F;                   // em: a row in which some names can be read

/// Minimum height of a row with its title and ruler, em.
float least_row(const FileRowsWishes& wish) noexcept { return wish.present ? kBesidePresented : kBesideLeast; }

/// Places the playback bar and the legend at the bottom.
void place_bars(FileRows& out, Rect all, float em, float gap, const FileRowsWishes& wish) {
    out.playback = {all.x0, all.y1 - (wish.present ? 0 : 2.5F * em), all.x1, all.y1};
    out.legend = {all.x0, out.playback.y0 - (wish.present ? 0 : gap + wish.legend + 0.6F * em), all.x1,
                  out.playback.y0 - (wish.present ? 0 : gap)};
}

/// Chooses the rows that fit, always including the active one, and their heights. All lanes have equal height.
class RowHeights {
  public:
    RowHeights(Rect area, float em, float gap, std::span<const float> wishes, std::size_t active,
               const FileRowsWishes& wish)
        : title_(kBesideTitle * em), gap_(gap), wishes_(wishes), wish_(wish) {
        const float least = least_row(wish) * em - wish.ruler, room = area.height();
        const auto fit = static_cast<std::size_t>(std::max(1.0F, (room - wish.ruler) / least));
        count_ = std::min(fit, wishes.size());
        const float second = kBesideSecond * em;
        if (is_narrow(area, em) && room - wish.ruler >= static_cast<float>(count_) * (least + second)) title_ += second;
        first_ = std::min(active < count_ ? 0 : active - count_ + 1, wishes.size() - count_);
        float wanted = wish.ruler, above = wish.ruler;
        for (std::size_t i = 0; i < wishes.size(); ++i) wanted += height_wanted(i);
        enough_ = count_ == wishes.size() && wanted <= room;
        for (std::size_t i = first_; i < end(); ++i) above += above_of(i);
        lanes_ = (room - above) / static_cast<float>(std::max<std::size_t>(1, count_));
    }
    std::size_t first() const noexcept { return first_; }
    std::size_t end() const noexcept { return first_ + count_; }
    /// Height of a title: two lines if they fit and the text needs them.
    float title() const noexcept { return title_; }
    /// Height of trace `i` with its title, without the gap below it.
    float height(std::size_t i) const noexcept {
        return (enough_ ? height_wanted(i) : lanes_ + above_of(i)) + (i == first_ ? wish_.ruler : 0) - gap_;
    }

  private:
    float above_of(std::size_t i) const noexcept { return i < wish_.above.size() ? wish_.above[i] : 0; }
    float height_wanted(std::size_t i) const noexcept { return wishes_[i] - wish_.ruler + title_ + gap_; }

    float title_, gap_, lanes_ = 0;
    std::span<const float> wishes_;
    const FileRowsWishes& wish_;
    std::size_t first_ = 0, count_ = 0;
    bool enough_ = false;
};

}  // namespace

FileRows layout_file_rows(Rect area, float em, std::span<const float> wishes, std::size_t active,
                          const FileRowsWishes& wish) {
    const float gap = 0.35F * em;
    const Rect all = area.shrunk(gap);
    FileRows out;
    place_bars(out, all, em, gap, wish);
    const RowHeights rows({all.x0, all.y0, all.x1, out.legend.y0 - gap}, em, gap, wishes, active, wish);
    // If only one column fits, it is for the lanes.
    const float aside = is_narrow(all, em) ? 0
                        : wish.wide        ? std::max(0.55F * all.width(), 19 * em)
                                           : std::clamp(all.width() * 0.275F, 19 * em, 34 * em);
    out.hidden = wishes.size() - (rows.end() - rows.first());
    float y = all.y0;
    for (std::size_t i = rows.first(); i < rows.end(); ++i) {
        const float height = rows.height(i);
        FileRow row;
        row.index = i;
        row.ruler = i == rows.first() || wish.ruler <= 0;
        row.title = {all.x0, y, all.x1, y + rows.title()};
        row.timeline = {all.x0, row.title.y1, all.x1 - (aside > 0 ? aside + gap : 0), y + height};
        row.aside = {all.x1 - aside, row.title.y1, all.x1, y + height};
        out.rows.push_back(row);
        y += height + gap;
    }
    return out;
}

}  // namespace fiberscope::viewer
