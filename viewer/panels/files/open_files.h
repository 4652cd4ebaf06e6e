// The files that are open, each with its panels, and where their playheads go: of one of them, or side by side of all.
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

/// One open file: its document, its panels, and what was counted of it.
struct Tab {
    explicit Tab(std::unique_ptr<Document> of) : document(std::move(of)) {}

    bool readable() const noexcept { return document->readable(); }
    /// Counted once.
    const MatrixRun& matrix();
    /// The file was read again: what was counted of it is counted anew.
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

    /// Begins to read another file, which becomes the active one.
    void open(const std::string& file, Language language);
    /// Closes a file that is not the only one and not the active one. Not side by side.
    void close(std::size_t tab);
    /// Takes the files that have been read meanwhile, and begins to read those again that have changed. Whether there
    /// is something new to see.
    bool refresh();
    /// Begins to read those again that were written again; whether there are any.
    bool reload();
    /// Whether a file is being read that is not seen yet.
    bool loading() const noexcept;
    /// Whether a file is being recorded meanwhile.
    bool live() const noexcept;

    /// Side by side the one that was active stops playing.
    void activate(std::size_t tab);
    /// The next file, or the one before; side by side the next one that is readable.
    void activate_next(bool backward);

    bool side_by_side() const noexcept { return side_by_side_; }
    /// Shows all readable files at once, if there are two, or one again. Whether it did.
    bool toggle_side_by_side();
    Lock lock() const noexcept { return lock_; }
    /// The next kind of lock; side by side the first call brings back files that stand apart.
    void change_lock();
    /// Side by side: whether the files are where the lock has them.
    bool in_step();

    // Each moves the active file; side by side the others follow.
    void put(std::size_t playhead);
    /// Puts the file at an event, follows `chosen` (kNone: none) and shows `visible`, each as far as the file has it.
    void go(std::optional<std::size_t> at, std::uint32_t chosen, const std::optional<Range>& visible, const Pins* pins);
    void apply(Action action);
    /// Plays for `seconds`.
    void advance(double seconds);
    /// The mouse has changed the selection of `document`, which was `before`: side by side the others follow.
    void follow(Document& document, const Selection& before);

  private:
    std::vector<Tab> tabs_;
    std::size_t active_ = 0;
    bool side_by_side_ = false;
    Lock lock_ = Lock::time;
    std::vector<double> step_key_;  ///< the places for which in_step_ was found
    bool in_step_ = true;
};

}  // namespace fiberscope::viewer
