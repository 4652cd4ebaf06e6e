// Results of comparing the open files: where two of them decide differently, and explanations of their figures. Cached
// until forget().
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

    /// Called when a file was opened or read again.
    void forget();

    /// Two files whose decisions are compared, and their differences.
    struct Differences {
        std::size_t first = 0, second = 0;  ///< tabs
        Divergences all;
        std::array<std::vector<Range>, 2> stretches;  ///< of both tabs, ns
        std::optional<std::size_t> at;                ///< the last chosen difference
        bool card = false;                            ///< its card is open
    };
    /// Of the first readable file and the active one (or the second, if that is the first); null without two.
    const Differences* differences();
    /// The difference at both playheads; nothing if they have left the chosen one.
    std::optional<std::size_t> difference_here();
    /// The differences on the timeline of tab `index`; nothing while the student predicts.
    DifferenceView differences_of(std::size_t index);
    /// Goes to the next difference, or with -1 to the previous one.
    void go_to_difference(int by);
    /// Moves both files to their n-th difference, from 0, and the others to the corresponding position of their
    /// alignment with the first; opens the card.
    void choose_difference(std::size_t n);
    /// Describes the difference at the playheads, or how much of the two files agrees.
    std::string difference_words();
    /// The decision of each readable file at the difference at the playheads; empty if the card is closed.
    std::span<const CardFile> card();
    /// Returns whether it was open.
    bool close_card();

    /// The largest image of all files, bytes.
    std::uint64_t largest_image() const;

  private:
    Differences* find_differences();
    /// For each readable file its event at a difference; the size of its trace if it makes no more decisions.
    std::vector<std::size_t> events_at(const Differences& now, const Divergence& place);

    WindowState& state_;
    const Predicting& predicting_;
    const Style& style_;
    std::optional<Differences> differences_;
    std::map<std::size_t, Divergences> others_;  ///< by tab: of the first file and a third one
    std::vector<CardFile> card_;                 ///< of the chosen difference
};

}  // namespace fiberscope::viewer
