// A red-black tree that records every change of a link in a trace, like a lab's tree: Boost.Intrusive's algorithms with
// recording node traits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "traces/tests/made/event_writer.h"

namespace fiberscope::trace::testing {

class TracedTree {
  public:
    /// The set must be declared. Both must outlive the tree. Items are the numbers below `items`.
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
