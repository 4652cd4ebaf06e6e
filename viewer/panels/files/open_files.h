// The open files with their panels, and the control of their playheads: of one file, or synchronized side by side.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "traces/replay/figures.h"
#include "viewer/layout/matrix/run.h"
#include "viewer/layout/page/frame.h"
#include "viewer/layout/tables/region_sentence.h"
#include "viewer/model/side_by_side.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/tables/table_panel.h"
#include "viewer/panels/timeline_panel.h"

namespace fiberscope::viewer {

/// An open file: its document, panels and cached figures.
struct Tab {
    explicit Tab(std::unique_ptr<Document> of) : document(std::move(of)) {}

    bool readable() const noexcept { return document->readable(); }
    /// Computed once.
    const MatrixRun& matrix();
    /// Discards the cached figures after the file was read again.
    void forget();

    std::unique_ptr<Document> document;
    TimelinePanel timeline;
    EventList events;
    StatePanel states;
    SharedStackPanel stacks;
    SetsPanel sets;
    TablePanel table;
    RegionWords region;

  private:
    std::unique_ptr<MatrixRun> matrix_;
};

class OpenFiles {
  public:
    /// Without documents there is one tab without a file.
    OpenFiles(std::vector<std::unique_ptr<Document>> documents, Language language);

    std::span<Tab> tabs() noexcept { return {tabs_.data(), tabs_.size()}; }
    std::span<const Tab> tabs() const noexcept { return {tabs_.data(), tabs_.size()}; }
    std::size_t active() const noexcept { return active_; }
    Tab& active_tab() noexcept { return tabs_[active_]; }
    Document& document() noexcept { return *tabs_[active_].document; }
    const Document& document() const noexcept { return *tabs_[active_].document; }
    Documents readable() const;

    /// Starts to read another file, which becomes the active one.
    void open(const std::string& file, Language language);
    /// Closes a file, unless it is the only or the active one, or files are side by side.
    void close(std::size_t tab);
    /// Takes over files read in the background, and starts to reread changed ones. Returns whether the display has
    /// changed.
    bool refresh();
    /// Starts to reread overwritten files; returns whether there are any.
    bool reload();
    /// Whether a file is being read that is not visible yet.
    bool loading() const noexcept;
    /// Whether any file is being recorded.
    bool live() const noexcept;

    /// When files are side by side, the previously active one stops playing.
    void activate(std::size_t tab);
    /// Activates the next or previous file; side by side only readable ones.
    void activate_next(bool backward);

    bool side_by_side() const noexcept { return side_by_side_; }
    /// Shows all readable files at once, if there are at least two, or one again. Returns whether it succeeded.
    bool toggle_side_by_side();
    Lock lock() const noexcept { return lock_; }
    /// Switches to the next kind of lock; if files that are side by side are out of step, the first call synchronizes
    /// them.
    void change_lock();
    /// Whether files that are side by side are synchronized by the lock.
    bool in_step();

    // These move the active file; side by side the others follow.
    void put(std::size_t playhead);
    /// Moves the file to an event, selects `chosen` (kNone: none) and shows `visible`, each if the file has it.
    void go(std::optional<std::size_t> at, std::uint32_t chosen, const std::optional<Range>& visible, const Pins* pins);
    void apply(Action action);
    /// Plays for `seconds`.
    void advance(double seconds);
    /// Handles a mouse operation that changed the selection of `document`, which was `before`: side by side the others
    /// follow.
    void follow(Document& document, const Selection& before);

  private:
    std::vector<Tab> tabs_;
    std::size_t active_ = 0;
    bool side_by_side_ = false;
    Lock lock_ = Lock::time;
    std::vector<double> step_key_;  ///< the positions for which in_step_ was computed
    bool in_step_ = true;
};

}  // namespace fiberscope::viewer
