// What all parts of a window share: the open files, and how they are shown.
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
    Settings settings = {};    ///< what the next window begins with; its theme and files are those of the last one
    bool present = false;      ///< as for a presentation: large text, lanes first
    bool matrix = false;       ///< all files as a matrix, in place of the panels
    bool beside_sets = false;  ///< side by side: the sets stand beside the lanes, in place of the states
    Overlays overlays = {};
    bool glides = false;    ///< members of sets glide to a new place, and are not there at once
    bool lecture = false;   ///< the lecture is edited beside the panels
    std::string told = {};  ///< the note of the lecture; stands above the panels
    std::string said = {};  ///< stands above the panels until the next key
    /// The panels as they were drawn last, by the names that --panel knows.
    std::vector<std::pair<std::string_view, Rect>> panels = {};

    void note_panel(std::string_view name, Rect r) {
        if (!r.empty()) panels.emplace_back(name, r);
    }
    /// Seconds in which members of sets go to a new place; side by side as the active file plays.
    double glide() const { return glides ? glide_seconds(files.document().playback()) : 0; }
};

/// The overlays of the active file; `lanes`: where the list of the lanes begins, y. Side by side the others follow what
/// they change.
void draw_overlays(WindowState& state, Rect area, float lanes, const Scene& scene, Selection& selection);

}  // namespace fiberscope::viewer
