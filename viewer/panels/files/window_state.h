// State shared by all parts of a window: the open files, and how they are shown.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viewer/layout/sets/sets.h"
#include "viewer/model/settings.h"
#include "viewer/panels/files/open_files.h"
#include "viewer/panels/over/overlays.h"

namespace fiberscope::viewer {

struct WindowState {
    OpenFiles files;
    Style style;
    Settings settings = {};    ///< initial settings of the next window; its theme and files are those of the last one
    bool present = false;      ///< for a presentation: large text, lanes first
    bool matrix = false;       ///< show all files as a matrix instead of the panels
    bool beside_sets = false;  ///< side by side: show sets beside the lanes instead of the states
    Overlays overlays = {};
    bool glides = false;    ///< animate moving set members
    bool lecture = false;   ///< the lecture editor is open
    std::string told = {};  ///< note of the lecture, above the panels
    std::string said = {};  ///< message above the panels until the next key
    /// Positions of the last drawn panels, by their names for --panel.
    std::vector<std::pair<std::string_view, Rect>> panels = {};

    void note_panel(std::string_view name, Rect r) {
        if (!r.empty()) panels.emplace_back(name, r);
    }
    /// Duration of a set animation in seconds; side by side that of the active file.
    double glide() const { return glides ? glide_seconds(files.document().playback()) : 0; }
};

/// Draws the overlays of the active file; `lanes` is the y of the lane list. Side by side their changes are applied to
/// the others.
void draw_overlays(WindowState& state, Rect area, float lanes, const Scene& scene, Selection& selection);

}  // namespace fiberscope::viewer
