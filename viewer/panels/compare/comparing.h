// What is found by comparing the open files: where two of them decide differently, and what their figures mean. Found
// once, until forget().
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viewer/layout/page/decision_card.h"
#include "viewer/layout/trace_facts/divergence.h"
#include "viewer/panels/files/window_state.h"
#include "viewer/panels/over/predicting.h"

namespace fiberscope::viewer {

class Comparing {
  public:
    Comparing(WindowState& state, const Predicting& predicting) noexcept
        : state_(state), predicting_(predicting), style_(state.style) {}

    /// A file was opened, or read again.
    void forget();

    /// Two files whose decisions are compared, and where they differ.
    struct Differences {
        std::size_t first = 0, second = 0;  ///< tabs
        Divergences all;
        std::array<std::vector<Range>, 2> stretches;  ///< of both tabs, ns
        std::optional<std::size_t> at;                ///< the place that was gone to last
        bool card = false;                            ///< its card is open
    };
    /// Of the first readable file and the active one (or the second, if that is the first); null without two.
    const Differences* differences();
    /// The difference that both playheads are at; nothing if they are not where one was gone to.
    std::optional<std::size_t> difference_here();
    /// What the timeline of tab `index` shows of them; nothing while the student predicts.
    DifferenceView differences_of(std::size_t index);
    /// To the next difference, or by -1 to the one before.
    void go_to_difference(int by);
    /// Puts both files where they differ for the n-th time, from 0, the others at that place of their alignment with
    /// the first, and opens the card.
    void choose_difference(std::size_t n);
    /// The difference at the playheads in words, or how much of the two files agrees.
    std::string difference_words();
    /// What each readable file decides at the difference at the playheads; empty if the card is closed.
    std::span<const CardFile> card();
    /// Whether it was open.
    bool close_card();

    /// The largest image of all files, bytes.
    std::uint64_t largest_image() const;

  private:
    Differences* find_differences();
    /// Of each readable file the event that stands at a difference; the size of its trace if it decides nothing more.
    std::vector<std::size_t> events_at(const Differences& now, const Divergence& place);

    WindowState& state_;
    const Predicting& predicting_;
    const Style& style_;
    std::optional<Differences> differences_;
    std::map<std::size_t, Divergences> others_;  ///< by tab: of the first file and a third one
    std::vector<CardFile> card_;                 ///< of the difference that was gone to last
};

}  // namespace fiberscope::viewer
