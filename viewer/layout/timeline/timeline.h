// The timeline as rectangles and texts: a lane per machine and coroutine, zones of one state, arrows for switches, the
// time axis and the playhead. Only the visible part is computed, so that the cost for ten thousand lanes and a million
// events is bounded by the screen size.
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

/// Neighbours thinner than this, in pixels, are drawn by their shares.
inline constexpr float kThinnest = 3;
/// Indentation per level of descendants, em.
inline constexpr float kIndent = 0.7F;

struct Lane {
    Rect rect;             ///< area of its zones
    bool machine = false;  ///< lane of a machine, else of a coroutine or a heading
    bool heading = false;  ///< the name of a group, without zones
    std::uint32_t id = 0;  ///< index of the machine, or number of the coroutine; kNone for a heading
    std::string name;
    std::string note;         ///< of a machine: "63 % busy"; of a folded coroutine: "+12"
    std::uint32_t depth = 0;  ///< indentation level, for descendants
    bool chosen = false;
    bool odd = false;
    bool pinned = false;  ///< fixed at the top
};

/// A stretch of a lane, or a bucket of time (bucket_span) with several that are too thin to distinguish.
struct Zone {
    Rect rect;
    trace::State state = trace::State::new_;
    trace::Idle idle = trace::Idle::none;  ///< how the machine that runs it is idle
    std::uint32_t co = trace::kNone;       ///< on a machine's lane: the running coroutine
    std::uint32_t event = trace::kNone;    ///< the event that began it
    double from = 0, to = 0;               ///< ns; `rect` may end earlier, where a bucket begins
    std::uint32_t machine = trace::kNone;  ///< of a running zone on a coroutine's lane: where
    bool merged = false;                   ///< a bucket; on a machine's lane without a coroutine
    /// Of a bucket: shares of its time by state, indexed as LaneTimes; their sum is 1. The time before the lane's
    /// coroutine or machine exists and after the end of the trace is excluded.
    std::array<float, LaneTimes::kKinds> shares{};
    bool on_machine = false;  ///< on a machine's lane
    /// Text that fits inside: the letter of the state, with several machines the number of the one that runs it, and
    /// for an interpreter's coroutine the frame; on a machine's lane the name of the running coroutine; if idle, the
    /// letter or word.
    std::string text;
    float text_x = 0;  ///< beginning of the text; centred on a machine's lane
};

/// A part of a bucket's rectangle, its height proportional to the share.
struct ShareBar {
    Rect rect;
    const Look* look = nullptr;  ///< of the state or the kind of idleness
    float share = 0;
};
/// The shares of a bucket, stacked: running is the lowest, then the states in the order of the legend.
std::vector<ShareBar> share_bars(const Zone& bucket, Theme theme);
/// "running 40 %, ready 12 %", in the same order.
std::string share_words(const Zone& bucket, Language language);

/// A switch, from the lane that it leaves (y0) to the lane that it enters (y1).
struct Arrow {
    float x = 0, y0 = 0, y1 = 0;
    std::uint32_t event = trace::kNone;  ///< of a merged one: the first
    /// A few switches within kThinnest pixels: y0 to y1 spans all of them. Larger groups are not drawn, since the
    /// shares of the lanes show them.
    bool merged = false;
    bool of_chosen = false;
    bool at_playhead = false;
};

/// A steal, from the lane of the victim (y0) to that of the thief (y1); or several coinciding ones, from the uppermost
/// of their lanes to the lowest.
struct Steal {
    float x = 0, y0 = 0, y1 = 0;
    std::uint32_t event = 0;  ///< of several: the first
    std::string count;        ///< number of stolen members; of several: "3 steals"
    bool at_playhead = false;
    bool several = false;
};

/// A momentary event on the lane of its coroutine or machine, or several coinciding ones.
struct Mark {
    Point at;                           ///< its centre
    std::uint32_t event = 0, last = 0;  ///< of several: the first and the last
    std::uint32_t count = 1;
    MarkKind kind = MarkKind::note;  ///< of several: the most important
    float size = 0;                  ///< half of its width, pixels
    std::string text;                ///< of several: their number; of a copy: its bytes, if they fit to the left
};
/// Tooltip of a mark: its event; of several the counts by kind, the first of the most important ones, and how many more
/// there are.
std::string mark_words(const trace::Replay& replay, const TraceIndex& index, const Mark& mark, Language language);
/// The time from the first to the last of several, with a margin; nothing if they have the same time.
std::optional<Range> around(const trace::Trace& trace, const Mark& mark);

/// The whole trace in a low strip: density of events, visible range and playhead.
struct Minimap {
    Rect rect;                   ///< empty if not requested
    float x0 = 0, column = 0;    ///< pixels: start of the columns (time 0), width of a column
    std::vector<float> heights;  ///< by column, relative to the strip; values above 1 are cut and marked
    float from = 0, to = 0;      ///< the visible range, pixels
    float playhead = 0;          ///< pixels
    TimeScale scale;             ///< of the whole trace
};

struct Timeline {
    Rect names, ruler, lanes_area;
    Minimap minimap;
    ChoiceLane choices;          ///< between the ruler and the lanes; does not scroll
    DifferenceLane differences;  ///< likewise, directly below the ruler
    Plot ready;                  ///< likewise, directly above the lanes: length of the ready queues
    LaneTable table;
    std::string table_words;  ///< summary of the lane wishes; empty if all lanes are shown
    TimeScale scale;
    float lane_height = 0;
    float content_height = 0;  ///< of all lanes, visible or not
    float scroll = 0;          ///< as requested, clamped
    float pinned_end = 0;      ///< start of the scrolling lanes, pixels; those above are pinned
    std::vector<Lane> lanes;   ///< the visible ones, from top to bottom
    std::vector<Zone> zones;
    std::vector<Arrow> arrows;
    std::vector<Steal> steals;
    std::vector<Mark> marks;
    std::vector<Tick> ticks;
    Rect region;                  ///< from the ruler to the end of the lanes; empty if it is not visible
    std::string region_sentence;  ///< its duration
    float playhead_x = 0;         ///< may be outside lanes_area
    double playhead_t = 0;        ///< ns

    /// Position of a lane's pin, at the right end of its name; empty if the lane is too low for it.
    Rect pin_of(const Lane& lane, float em) const noexcept;
    /// The visible zone at a point; null if there is none.
    const Zone* zone_at(Point p) const noexcept;
    const Lane* lane_at(float y) const noexcept;
    /// Whether any visible zone is a bucket drawn by its shares.
    bool has_shares() const noexcept;
};

struct TimelineRequest {
    const trace::Replay& replay;
    const TraceIndex& index;
    const Selection& selection;
    Rect area;
    Metrics metrics;
    float scroll = 0;       ///< pixels of lanes above the visible ones
    float least_names = 0;  ///< minimum width of the names, so that timelines side by side share an axis
    float least_lane = 0;   ///< pixels: minimum lane height, to show all lanes; 0: the height that its letters require
    DifferenceView differences = {};  ///< where the run decides differently from another
    bool minimap = false;             ///< with a minimap above the ruler
    std::uint32_t most_ready = 0;     ///< minimum upper end of the ready queues' scale
    bool ruler = true;                ///< false: shares the ruler of the row above
};

Timeline layout_timeline(const TimelineRequest& request);

/// Height of the ruler, em.
inline constexpr float kTimelineRuler = 1.8F;

/// Preferred width of the lanes' names.
float wanted_names_width(const trace::Replay& replay, const TraceIndex& index, const Metrics& metrics);

/// Height at which all lanes are comfortably large; with many lanes, more than any screen has.
float wanted_timeline_height(const TraceIndex& index, float em) noexcept;
/// Minimum height at which all lanes are visible.
float least_timeline_height(const TraceIndex& index, float em) noexcept;

// ---- parts of the layout --------------------------------------------------------------------------------------------

/// Length of a bucket, ns: a power of two, 4 to 8 pixels. Buckets begin at its multiples, independent of the view.
double bucket_span(const TimeScale& scale) noexcept;
/// Adds the zones of coroutine `co` in `lane`.
void add_coroutine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                         std::vector<Zone>& zones);
/// Adds the zones of a machine in `lane`: the coroutines that run there.
void add_machine_zones(const TimelineRequest& request, const TimeScale& scale, const Lane& lane,
                       std::vector<Zone>& zones);
/// The visible switches; `timeline` must already have its lanes, areas and scroll.
std::vector<Arrow> layout_arrows(const TimelineRequest& request, const Timeline& timeline);
/// The visible steals, likewise; the one at the playhead is never merged.
std::vector<Steal> layout_steals(const TimelineRequest& request, const Timeline& timeline);
/// The visible marks, likewise.
std::vector<Mark> layout_marks(const TimelineRequest& request, const Timeline& timeline);
/// The part [first, last) of a row of events.
struct Together {
    std::size_t first = 0, last = 0;
};
/// Groups the visible ones of `events` (ascending event numbers) that would overlap: `apart` is the minimum distance,
/// `room` twice the width of the sign for a group of `count` events, pixels. Every event is in one group, independent
/// of where the view begins, so that panning does not flicker.
std::vector<Together> fall_together(const trace::Trace& trace, std::span<const std::uint32_t> events,
                                    const TimeScale& scale, float apart,
                                    const std::function<float(std::size_t count)>& room);
/// Index of the first of `events` (ascending event numbers) with a time of at least t; their number if there is none.
std::size_t first_from(const trace::Trace& trace, std::span<const std::uint32_t> events, double t);
/// Number of lanes to scroll until the lane of a coroutine is visible; nothing if it is.
std::optional<float> scroll_to_see(const Timeline& timeline, std::uint32_t co) noexcept;
/// The y of the middle of a coroutine's lane, visible or not; nothing if it has no lane. For a lane scrolled under the
/// pinned ones, the end of these.
std::optional<float> lane_middle(const Timeline& timeline, std::uint32_t co) noexcept;
/// Likewise for a machine.
std::optional<float> machine_middle(const Timeline& timeline, std::uint32_t m) noexcept;
/// A name beside lanes that are lower than text.
struct LowName {
    std::size_t lane = 0;  ///< index into Timeline::lanes
    Rect rect;             ///< of normal text height
};
/// As many names as fit one below the other, preferring that of the chosen lane.
std::vector<LowName> low_names(const Timeline& timeline, float em);
/// Lays out the minimap in `rect` (minimap.cpp).
Minimap layout_minimap(const TimelineRequest& request, Rect rect);
/// Height of the minimap with the gap below it, em.
inline constexpr float kMinimap = 1.2F;

}  // namespace fiberscope::viewer
