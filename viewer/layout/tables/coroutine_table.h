// A table of all coroutines: times by state, and counts of runs and waits.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/tables/times.h"

namespace fiberscope::viewer {

enum class TableColumn : std::uint8_t {
    name,
    running,
    ready,
    sleeping,
    waiting,
    normal,
    suspended,
    new_,
    idle,
    resumes,
    waits,
    overshoot
};

struct TableHead {
    TableColumn column = TableColumn::name;
    float x0 = 0, x1 = 0;  ///< pixels
    std::string title;
    std::string meaning;  ///< a sentence
};
struct TableRow {
    std::uint32_t co = 0;
    std::vector<std::string> cells;  ///< one per head
};

class CoroutineTable {
  public:
    /// Counts within `span`, once.
    CoroutineTable(const trace::Replay& replay, const TraceIndex& index, Range span);

    /// Sorts by a column; again by the same one reverses the order. Numbers are descending first.
    void sort_by(TableColumn column);
    TableColumn sorted_by() const noexcept { return sorted_; }
    bool backwards() const noexcept { return backwards_; }
    /// The columns with content that fit into `width` pixels; the first ones if not all fit.
    std::vector<TableHead> heads(float width, const Metrics& metrics) const;
    std::size_t size() const noexcept { return times_.size(); }
    /// The row at `place`, with one cell per head.
    TableRow row(std::size_t place, const std::vector<TableHead>& heads) const;
    /// Row index of `co`; size() if it has none.
    std::size_t place_of(std::uint32_t co) const noexcept;

  private:
    std::string cell(const Times& times, TableColumn column) const;
    const trace::Trace& trace_;
    std::vector<Times> times_;
    std::vector<std::string> names_;  ///< by coroutine
    TableColumn sorted_ = TableColumn::name;
    bool by_number_ = true, backwards_ = false;
};

}  // namespace fiberscope::viewer
