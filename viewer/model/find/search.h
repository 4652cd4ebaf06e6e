// Text search: coroutines and sets by name, events by sentence.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// The first `most` coroutines by number whose names contain `what`.
std::vector<std::uint32_t> find_coroutines(const trace::Trace& trace, std::string_view what, std::size_t most);

/// Searches the sentences of events in slices, since a large recording takes longer than a frame.
class EventHits {
  public:
    /// Sets the search text; restarts if it or the trace has changed. An empty text has no hits.
    void look_for(const trace::Trace& trace, std::string_view what, Language language = Language::english);
    /// Makes the next look_for() restart.
    void forget() noexcept { trace_ = nullptr; }
    /// Searches `events` more events; returns whether some remain. Requires look_for() and the trace's lifetime.
    bool step(std::size_t events);
    bool done() const noexcept { return trace_ == nullptr || looked_ >= size_; }
    /// Hits so far, ascending.
    const std::vector<std::size_t>& all() const noexcept { return all_; }
    /// Index into all() of the next hit after `event`, or the previous one; wraps around. None if there are no hits.
    std::optional<std::size_t> beside(std::size_t event, bool forward) const;
    /// Index of `event` in all(); none if it is not a hit.
    std::optional<std::size_t> rank(std::size_t event) const;

  private:
    const trace::Trace* trace_ = nullptr;
    std::string what_;
    Language language_ = Language::english;
    std::size_t looked_ = 0, size_ = 0;
    std::vector<std::size_t> all_;
};

}  // namespace fiberscope::viewer
