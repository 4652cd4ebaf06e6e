// Description of a region.
#pragma once

#include <optional>
#include <string>

#include "languages/say.h"
#include "viewer/layout/tables/times.h"

namespace fiberscope::viewer {

/// "Region: 102.500 µs, from 245.375 µs (event 623) to …: 177 events, 12 switches, 5 waits. …", with the times of the
/// chosen coroutine, else the sums over all tasks. Empty without a region.
std::string region_in_words(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                            Language language = Language::english);

/// Caches this text for one trace; recomputed only when the region, the coroutine or the language changes.
class RegionWords {
  public:
    const std::string& of(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                          Language language = Language::english);
    std::size_t counted() const noexcept { return counted_; }  ///< number of computations

  private:
    std::optional<Range> region_;
    std::uint32_t chosen_ = trace::kNone;
    Language language_ = Language::english;
    std::string words_;
    std::size_t counted_ = 0;
};

}  // namespace fiberscope::viewer
