// Several files on one axis, one row a coroutine: in each row a band for each file, one below the other.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {

/// One of the files.
struct OverlayFile {
    const trace::Replay& replay;
    const TraceIndex& index;
    const Selection& selection;
    DifferenceView differences = {};  ///< where it decides differently than another
};

/// A machine or a coroutine with its namesakes in the other files.
struct OverlayMatch {
    std::string name;
    bool machine = false;
    std::vector<std::uint32_t> ids;  ///< by file: the machine or the coroutine; kNone: that file has none
    /// In all files it is in the same states in the same order, each from and to the same time but for a hundredth of
    /// the longest run.
    bool same = false;
};
/// All machines and coroutines of the files, matched by name and kind, in the order of the first file. Looks at every
/// stretch: to be done once.
std::vector<OverlayMatch> match_lanes(std::span<const OverlayFile> files, Language language = Language::english);

struct OverlayRow {
    Rect rect, name_rect;
    std::string name;
    bool chosen = false, odd = false;
};
/// The band of one file in a row.
struct OverlayBand {
    Rect rect;
    std::size_t file = 0;
    bool machine = false;
    std::uint32_t id = trace::kNone;
    float playhead = -1;  ///< x; negative: out of sight
    std::string number;   ///< of the file, from 1; empty without room
};
struct Overlay {
    Rect names, ruler, lanes_area;
    TimeScale scale;  ///< of the leading file
    std::vector<OverlayRow> rows;
    std::vector<OverlayBand> bands;
    Timeline drawing;                         ///< the stretches of all bands, and the ticks
    std::vector<DifferenceLane> differences;  ///< by file, below the ruler; empty ones of files that have none
    std::string same_words;  ///< "not drawn, for they do not differ: main, idle 0"; empty if nothing is left out
    float row_height = 0, content_height = 0, scroll = 0;  ///< scroll in pixels

    const OverlayBand* band_at(Point p) const noexcept;
};
/// `leader`: the file that has the ruler; `scroll`: rows above the visible ones; `folds`: rows that do not differ are
/// left out.
Overlay layout_overlay(std::span<const OverlayFile> files, const std::vector<OverlayMatch>& matches, std::size_t leader,
                       Rect area, const Metrics& metrics, float scroll, bool folds);

/// The height at which some of the rows are seen, pixels: what else stands below leaves so much.
float least_overlay_height(std::span<const OverlayFile> files, const std::vector<OverlayMatch>& matches, bool folds,
                           float em);

/// A member of a set in the strip.
struct StripMember {
    Rect rect;
    std::uint32_t co = trace::kNone;
    trace::State state = trace::State::new_;
    std::string name;
};
struct StripCell {
    Rect rect;
    std::string count;
    std::vector<StripMember> members;
    std::string more;  ///< "+3" behind the members
    Point more_at;
};
/// The sets of all files: a column for each name of a set, as many as have room, and a row for each file.
struct SetsStrip {
    std::vector<std::pair<Rect, std::string>> heads, files;
    std::vector<std::vector<StripCell>> cells;  ///< by file, then by head
};
SetsStrip layout_sets_strip(std::span<const OverlayFile> files, Rect area, const Metrics& metrics);
/// The height of the strip for so many files, in em; 0 if none of them has a set.
float sets_strip_height(std::span<const OverlayFile> files) noexcept;

}  // namespace fiberscope::viewer
