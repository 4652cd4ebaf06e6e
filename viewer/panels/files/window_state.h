// State shared by all parts of a window: the open files, and how they are shown.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viewer/layout/sets/sets.h"
#include "viewer/model/settings.h"
#include "viewer/panels/files/open_files.h"
#include "viewer/panels/over/overlays.h"

namespace fiberscope::viewer {

/// Position of a drawn panel.
struct NotedPanel {
    std::string_view name;  ///< for --panel
    Rect rect;
    Rect Frame::*part = nullptr;  ///< null: it cannot be maximized
    std::size_t file = 0;         ///< index of its tab
};

struct WindowState {
    OpenFiles files;
    Style style;
    Settings settings = {};    ///< initial settings of the next window; its theme and files are those of the last one
    bool present = false;      ///< for a presentation: large text, lanes first
    bool matrix = false;       ///< show all files as a matrix instead of the panels
    bool beside_sets = false;  ///< side by side: show sets beside the lanes instead of the states
    Rect Frame::*maximized = nullptr;  ///< the panel of the active file that is shown alone; null: see alone()
    bool all_panels = false;           ///< in a presentation, a change of a tree no longer hides the others
    Rect Frame::*tab = nullptr;        ///< the panel of the last clicked tab; null: the default
    Overlays overlays = {};
    bool glides = false;                    ///< animate moving set members
    bool lecture = false;                   ///< the lecture editor is open
    std::string told = {};                  ///< note of the lecture, above the panels
    std::string said = {};                  ///< message above the panels until the next key
    std::optional<std::size_t> strip = {};  ///< the clicked one above the panels: 0 is that of `said`, 1 of `told`
    std::vector<NotedPanel> panels = {};    ///< those of the last frame

    void note_panel(std::string_view name, Rect r, Rect Frame::*part = nullptr, std::size_t file = 0) {
        if (!r.empty()) panels.push_back({name, r, part, file});
    }
    /// The noted panel at `p` that can be maximized; null if there is none.
    const NotedPanel* panel_at(Point p) const noexcept {
        for (const NotedPanel& panel : panels)
            if (panel.part != nullptr && panel.rect.contains(p)) return &panel;
        return nullptr;
    }
    /// The panel that is shown alone: the maximized one, or in a presentation the sets while a tree changes; else null.
    Rect Frame::*alone() const;
    /// Shows all panels again; returns whether one was alone.
    bool show_all() {
        const bool hidden = alone() != nullptr;
        maximized = nullptr;
        all_panels = all_panels || alone() != nullptr;
        return hidden;
    }
    /// Shows `panel` alone, or all panels again.
    void maximize(const NotedPanel& panel) {
        if (show_all()) return;
        maximized = panel.part;
        if (maximized == nullptr) return;
        files.activate(panel.file);
        said = style.says("V, Esc, or a double click or tap on the heading shows all panels again.");
    }
    /// Duration of a set animation in seconds; side by side that of the active file.
    double glide() const { return glides ? glide_seconds(files.document().playback()) : 0; }
};

/// Draws the overlays of the active file; `lanes` is the y of the lane list. Side by side their changes are applied to
/// the others.
void draw_overlays(WindowState& state, Rect area, float lanes, const Scene& scene, Selection& selection);

}  // namespace fiberscope::viewer
