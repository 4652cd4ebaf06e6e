#include "viewer/layout/page/beside.h"

#include <algorithm>
#include <numeric>

namespace fiberscope::viewer {
namespace {

constexpr float kBesideTitle = 1.7F, kBesideLeast = 7.0F;  // heights in em: a title, a row with its title
constexpr float kBesideColumn = 44;                        // em: below this width nothing stands beside the lanes

}  // namespace

Beside layout_beside(Rect area, float em, std::span<const float> wishes, std::size_t active, const BesideWishes& wish) {
    const float gap = 0.35F * em;
    const Rect all = area.shrunk(gap);
    Beside out;
    out.playback = {all.x0, all.y1 - (wish.present ? 0 : 2.5F * em), all.x1, all.y1};
    out.legend = {all.x0, out.playback.y0 - (wish.present ? 0 : gap + wish.legend + 0.6F * em), all.x1,
                  out.playback.y0 - (wish.present ? 0 : gap)};
    const float room = out.legend.y0 - gap - all.y0;
    const auto fit = static_cast<std::size_t>(std::max(1.0F, room / (kBesideLeast * em)));
    const std::size_t count = std::min(fit, wishes.size());
    const std::size_t first = std::min(active < count ? 0 : active - count + 1, wishes.size() - count);
    const float share = room / static_cast<float>(std::max<std::size_t>(1, count));
    const float wanted = std::accumulate(wishes.begin(), wishes.end(), 0.0F,
                                         [&](float sum, float its) { return sum + its + kBesideTitle * em + gap; });
    const bool enough = count == wishes.size() && wanted <= room;
    // Where there is room for one column, the lanes have it.
    const float aside = all.width() < kBesideColumn * em ? 0
                        : wish.wide                      ? std::max(0.55F * all.width(), 19 * em)
                                                         : std::clamp(all.width() * 0.275F, 19 * em, 34 * em);
    out.hidden = wishes.size() - count;
    float y = all.y0;
    for (std::size_t i = first; i < first + count; ++i) {
        const float height = (enough ? wishes[i] + kBesideTitle * em + gap : share) - gap;
        BesideRow row;
        row.index = i;
        row.title = {all.x0, y, all.x1, y + kBesideTitle * em};
        row.timeline = {all.x0, row.title.y1, all.x1 - (aside > 0 ? aside + gap : 0), y + height};
        row.aside = {all.x1 - aside, row.title.y1, all.x1, y + height};
        out.rows.push_back(row);
        y += height + gap;
    }
    return out;
}

}  // namespace fiberscope::viewer
