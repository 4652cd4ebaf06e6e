// Rows of the timeline: filtered, sorted, grouped, with folded subtrees.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

struct LaneRow {
    enum class Kind : std::uint8_t { machine, heading, coroutine };
    Kind kind = Kind::coroutine;
    std::uint32_t id = 0;      ///< the machine, the coroutine, or the number of the heading
    std::uint32_t depth = 0;   ///< in LaneOrder::parent: number of ancestors
    std::uint32_t hidden = 0;  ///< of a folded coroutine: number of hidden descendants
};

class LaneTable {
  public:
    LaneTable() = default;
    /// The lanes at the playhead of `replay`. Free without wishes; linear in the number of coroutines with wishes.
    LaneTable(const trace::Replay& replay, const TraceIndex& index, const LaneWishes& wishes,
              Language language = Language::english);

    std::uint32_t size() const noexcept;
    /// Number of pinned rows, which come first.
    std::uint32_t pinned() const noexcept { return pinned_; }
    LaneRow row(std::uint32_t place) const noexcept;
    const std::string& heading(const LaneRow& row) const noexcept { return headings_[row.id]; }
    /// Row of a coroutine; in a folded subtree, the row of its root; nothing if it is filtered out.
    std::optional<std::uint32_t> place_of(std::uint32_t co) const noexcept;
    std::optional<std::uint32_t> place_of_machine(std::uint32_t m) const noexcept;
    /// Number of coroutines without their own lane.
    std::uint32_t hidden() const noexcept { return plain_ ? 0 : hidden_; }

  private:
    void fold(const TraceIndex& index, const LaneWishes& wishes);
    void add_rows(const trace::Replay& replay, const TraceIndex& index, const std::vector<std::uint32_t>& shown,
                  const LaneWishes& wishes, Language language);
    void add(LaneRow row);
    void pin(const LaneWishes& wishes);
    bool is_pinned(LaneRow::Kind kind, std::uint32_t id) const noexcept;

    bool plain_ = true;  ///< all machines, then all coroutines by number: nothing is stored
    std::uint32_t machines_ = 0, coroutines_ = 0, hidden_ = 0, pinned_ = 0;
    std::vector<LaneRow> rows_;
    std::vector<std::string> headings_;
    std::vector<std::uint32_t> place_, machine_place_;       // by coroutine, by machine; kNone: no lane
    std::vector<std::uint32_t> fold_, descendants_, depth_;  // by coroutine: its folded ancestor; number of descendants
};

/// "number", "name", "parent", "kind", "machine", "state".
std::string order_word(LaneOrder order, Language language);
/// "12 of 40, by state, dead hidden": summary of the shown lanes; empty if the wishes change nothing.
std::string lanes_in_words(const LaneTable& table, const TraceIndex& index, const LaneWishes& wishes,
                           Language language);
/// Whether coroutine `co` passes `filter` at the playhead: all terms must match. A term is a substring of the name or
/// begins with "state:", "kind:", "machine:" or "parent:".
bool passes(const trace::Replay& replay, const TraceIndex& index, std::string_view filter, std::uint32_t co);

/// Pins or unpins a lane; pinned machines are sorted.
void toggle_machine(Pins& pins, std::uint32_t m);
void toggle_coroutine(Pins& pins, std::uint32_t co);
/// Pins the lanes of all machines, or unpins the pinned ones.
void toggle_machines(Pins& pins, const TraceIndex& index);

/// The coroutine in the lane after that of `co`, or before it if `by` is -1; `co` itself at the end.
std::uint32_t neighbour(const LaneTable& table, std::uint32_t co, int by) noexcept;

}  // namespace fiberscope::viewer
