// A table of all coroutines: their times by state, and how often they ran and waited.
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
    std::vector<std::string> cells;  ///< one for each head
};

class CoroutineTable {
  public:
    /// Of `span`; counts once.
    CoroutineTable(const trace::Replay& replay, const TraceIndex& index, Range span);

    /// Sorts by a column; the same once more: the other way round. Numbers begin with the largest.
    void sort_by(TableColumn column);
    TableColumn sorted_by() const noexcept { return sorted_; }
    bool backwards() const noexcept { return backwards_; }
    /// The columns that say anything, in `width` pixels; where there is no room for all, the first ones.
    std::vector<TableHead> heads(float width, const Metrics& metrics) const;
    std::size_t size() const noexcept { return times_.size(); }
    /// The row at `place`, in the words of `heads`.
    TableRow row(std::size_t place, const std::vector<TableHead>& heads) const;
    /// Where the row of `co` is; size() if it has none.
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
