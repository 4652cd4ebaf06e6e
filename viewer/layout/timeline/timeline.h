// The timeline as rectangles and words: a lane for each machine and each coroutine, zones of one state, arrows for the
// switches, the time axis and the playhead. Only what is visible is computed, so that ten thousand lanes and a million
// events cost what fits on the screen.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/lane_times.h"
#include "viewer/layout/base/scale.h"
#include "viewer/layout/timeline/choices.h"
#include "viewer/layout/timeline/differences.h"
#include "viewer/layout/timeline/lanes.h"
#include "viewer/layout/timeline/ready_strip.h"

namespace fiberscope::viewer {

/// Neighbours thinner than this many pixels are drawn by their shares.
inline constexpr float kThinnest = 3;
/// The step by which the names of descendants are indented, in em.
inline constexpr float kIndent = 0.7F;

struct Lane {
    Rect rect;             ///< where its zones lie
    bool machine = false;  ///< a lane of a machine, else of a coroutine, or a heading
    bool heading = false;  ///< no lane, but the name of a group
    std::uint32_t id = 0;  ///< index of the machine, or number of the coroutine; kNone of a heading
    std::string name;
    std::string note;         ///< of a machine: what part of the time it worked, "63 % busy"; of a fold: "+12"
    std::uint32_t depth = 0;  ///< how far its name is indented, as a descendant
    bool chosen = false;
    bool odd = false;
    bool pinned = false;  ///< it stays at the top
};

/// A stretch of a lane; or a bucket of time (bucket_span) in which several are too thin to be told apart.
struct Zone {
    Rect rect;
    trace::State state = trace::State::new_;
    trace::Idle idle = trace::Idle::none;  ///< how the machine is idle on which it runs
    std::uint32_t co = trace::kNone;       ///< whose: on a machine's lane, what runs
    std::uint32_t event = trace::kNone;    ///< the event that began it
    double from = 0, to = 0;               ///< ns; `rect` ends earlier where a bucket begins
    std::uint32_t machine = trace::kNone;  ///< of a running one on a coroutine's lane: where
    bool merged = false;                   ///< a bucket; of a machine it is of no coroutine
    /// Of a bucket: the parts of its time in each state, as LaneTimes has them; their sum is 1. It begins with its
    /// coroutine or machine and ends with the trace.
    std::array<float, LaneTimes::kKinds> shares{};
    bool on_machine = false;  ///< lies on a machine's lane
    /// What fits inside: the letter of the state, with several machines the number of the one where it runs, and of an
    /// interpreter's coroutine the frame; on a machine's lane the name of what runs; of an idle one its letter or word.
    std::string text;
    float text_x = 0;  ///< where the text begins; on a machine's lane it stands in the middle instead
};

/// A part of a bucket's rectangle, as high as its share.
struct ShareBar {
    Rect rect;
    const Look* look = nullptr;  ///< of the state, or of the way to be idle
    float share = 0;
};
/// The shares of a bucket one upon the other: running is the lowest, then the states as the legend has them.
std::vector<ShareBar> share_bars(const Zone& bucket, Theme theme);
/// "running 40 %, ready 12 %", likewise.
std::string share_words(const Zone& bucket, Language language);

/// A switch, from the lane that it leaves (y0) to the lane that it enters (y1).
struct Arrow {
    float x = 0, y0 = 0, y1 = 0;
    std::uint32_t event = trace::kNone;  ///< of a merged one: the first
    /// Several switches, a few, within kThinnest pixels: y0 to y1 spans all of them. Of more nothing is drawn: the
    /// shares of the lanes tell it.
    bool merged = false;
    bool of_chosen = false;
    bool at_playhead = false;
};

/// A steal, from the lane of the victim (y0) to that of the thief (y1); or several that fall together, from the
/// uppermost of their lanes to the lowest.
struct Steal {
    float x = 0, y0 = 0, y1 = 0;
    std::uint32_t event = 0;  ///< of several the first
    std::string count;        ///< of what was stolen; of several "3 steals"
    bool at_playhead = false;
    bool several = false;
};

/// Something that happened at one moment, at the lane of its coroutine or of its machine; or several that fall
/// together.
struct Mark {
    Point at;                           ///< its middle
    std::uint32_t event = 0, last = 0;  ///< of several the first and the last
    std::uint32_t count = 1;
    MarkKind kind = MarkKind::note;  ///< of several the most important
    float size = 0;                  ///< half of its width, pixels
    std::string text;                ///< of several: how many, inside; of a copy: its bytes, if they fit to the left
};
/// What the mouse says of a mark: its event; of several how many of which kind, the first of the most important, and
/// how many more there are.
std::string mark_words(const trace::Replay& replay, const TraceIndex& index, const Mark& mark, Language language);
/// The time from the first to the last of several, with a margin; nothing if they are of one moment.
std::optional<Range> around(const trace::Trace& trace, const Mark& mark);

/// The whole trace in a low strip: how much happens when, the visible range and the playhead.
struct Minimap {
    Rect rect;                   ///< empty if it was not asked for
    float x0 = 0, column = 0;    ///< pixels: where the columns begin, which is the time 0; the width of one
    std::vector<float> heights;  ///< of the columns from left to right, 1: the strip's; what is more is cut, and marked
    float from = 0, to = 0;      ///< the visible range, pixels
    float playhead = 0;          ///< pixels
    TimeScale scale;             ///< of the whole trace
};

struct Timeline {
    Rect names, ruler, lanes_area;
    Minimap minimap;
    ChoiceLane choices;          ///< between the ruler and the lanes; does not scroll
    DifferenceLane differences;  ///< likewise, directly below the ruler
    Plot ready;                  ///< likewise, directly above the lanes: the length of the ready queues
    LaneTable table;
    std::string table_words;  ///< what the wishes for lanes leave; empty if all are there
    TimeScale scale;
    float lane_height = 0;
    float content_height = 0;  ///< of all lanes, visible or not
    float scroll = 0;          ///< as asked for, within what there is to scroll
    float pinned_end = 0;      ///< where the lanes that scroll begin, pixels; those above it are pinned
    std::vector<Lane> lanes;   ///< the visible ones, from top to bottom
    std::vector<Zone> zones;
    std::vector<Arrow> arrows;
    std::vector<Steal> steals;
    std::vector<Mark> marks;
    std::vector<Tick> ticks;
    Rect region;                  ///< from the ruler to the end of the lanes; empty if there is none in sight
    std::string region_sentence;  ///< how long it is
    float playhead_x = 0;         ///< may lie outside of lanes_area
    double playhead_t = 0;        ///< ns

    /// Where the pin of a lane stands, at the right end of its name; empty where the lane is too low for one.
    Rect pin_of(const Lane& lane, float em) const noexcept;
    /// The visible zone under a point; null if there is none.
    const Zone* zone_at(Point p) const noexcept;
    const Lane* lane_at(float y) const noexcept;
    /// Whether a visible zone is a bucket that is drawn by its shares.
    bool has_shares() const noexcept;
};

struct TimelineRequest {
    const trace::Replay& replay;
    const TraceIndex& index;
    const Selection& selection;
    Rect area;
    Metrics metrics;
    float scroll = 0;       ///< pixels of lanes above the visible ones
    float least_names = 0;  ///< the width that the names take at least, so that timelines side by side share an axis
    float least_lane = 0;   ///< pixels: how low a lane may be so that all are seen; 0: as low as its letters allow
    DifferenceView differences = {};  ///< where the run decides differently than another
    bool minimap = false;             ///< with a minimap above the ruler
    std::uint32_t most_ready = 0;     ///< what the top of the ready queues stands for at least
    bool ruler = true;                ///< false: the ruler of the row above is that of this one, too
};

Timeline layout_timeline(const TimelineRequest& request);

/// The height of the ruler, in em.
inline constexpr float kTimelineRuler = 1.8F;

/// The width that the names of the lanes want.
float wanted_names_width(const trace::Replay& replay, const TraceIndex& index, const Metrics& metrics);

/// The height at which all lanes are comfortably large; with many lanes, more than any screen has.
float wanted_timeline_height(const TraceIndex& index, float em) noexcept;
/// The height at which all lanes are seen, as low as they can be.
float least_timeline_height(const TraceIndex& index, float em) noexcept;

// ---- the parts of it ------------------------------------------------------------------------------------------------

/// The length of a bucket, ns: a power of two, 4 to 8 pixels. Buckets begin at its multiples, wherever the view does.
double bucket_span(const TimeScale& scale) noexcept;
/// The zones of coroutine `co` in `lane`.
void add_coroutine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                         std::vector<Zone>& zones);
/// The zones of a machine in `lane`: what runs there.
void add_machine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                       std::vector<Zone>& zones);
/// The switches that are visible; `timeline` has its lanes, its areas and its scroll already.
std::vector<Arrow> layout_arrows(const TimelineRequest& request, const Timeline& timeline);
/// The steals that are visible, likewise; the one at the playhead by itself, too.
std::vector<Steal> layout_steals(const TimelineRequest& request, const Timeline& timeline);
/// The marks that are visible, likewise.
std::vector<Mark> layout_marks(const TimelineRequest& request, const Timeline& timeline);
/// A part of a row of events: from `first` to before `last`.
struct Together {
    std::size_t first = 0, last = 0;
};
/// Parts the visible ones of `events` (ascending event numbers) by what has room beside each other: `apart` is how near
/// one may stand to the next, and `room` twice the width of the sign for so many of them, pixels. Every event is in one
/// part, and which it is does not depend on where the view begins, so nothing flickers when one pans.
std::vector<Together> fall_together(const trace::Trace& trace, std::span<const std::uint32_t> events,
                                    const TimeScale& scale, float apart,
                                    const std::function<float(std::size_t count)>& room);
/// The first of `events` (ascending event numbers) whose time is at least t; their number if there is none.
std::size_t first_from(const trace::Trace& trace, std::span<const std::uint32_t> events, double t);
/// By how many lanes the timeline must be scrolled so that the lane of a coroutine is seen; nothing if it is seen.
std::optional<float> scroll_to_see(const Timeline& timeline, std::uint32_t co) noexcept;
/// Where the middle of the lane of a coroutine is, in sight or not; nothing if it has no lane. What has been scrolled
/// under the pinned lanes is where these end.
std::optional<float> lane_middle(const Timeline& timeline, std::uint32_t co) noexcept;
/// Likewise of a machine.
std::optional<float> machine_middle(const Timeline& timeline, std::uint32_t m) noexcept;
/// A name beside lanes that are lower than text.
struct LowName {
    std::size_t lane = 0;  ///< of Timeline::lanes
    Rect rect;             ///< as high as all other text
};
/// As many names as have room one below the other, that of the chosen lane first.
std::vector<LowName> low_names(const Timeline& timeline, float em);
/// The minimap in `rect` (minimap.cpp).
Minimap layout_minimap(const TimelineRequest& request, Rect rect);
/// The height of the minimap with the gap below it, in em.
inline constexpr float kMinimap = 1.2F;

}  // namespace fiberscope::viewer
