// A red-black tree whose every change of a link is written into a trace, as a lab's tree will be: Boost.Intrusive's
// algorithms over node traits that record.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "traces/tests/made/event_writer.h"

namespace fiberscope::trace::testing {

class TracedTree {
  public:
    /// The set must be declared. Both must outlive the tree. The items are the numbers below `items`.
    TracedTree(EventWriter& writer, std::string set, std::uint32_t items);
    ~TracedTree();
    void insert(std::uint32_t item, std::uint64_t key);
    void remove(std::uint32_t item);
    bool empty() const;
    std::uint32_t first() const;
    std::uint64_t key(std::uint32_t item) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fiberscope::trace::testing
