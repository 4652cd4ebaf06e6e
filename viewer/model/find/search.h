// Finding by text: coroutines and sets by their names, events by their sentences.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// The coroutines whose names hold `what`, `most` at most, by number.
std::vector<std::uint32_t> find_coroutines(const trace::Trace& trace, std::string_view what, std::size_t most);

/// The events whose sentences hold a text, found in slices: a large recording takes longer than a frame.
class EventHits {
  public:
    /// What is looked for; begins anew if that is not what was looked for. Nothing holds the empty text.
    void look_for(const trace::Trace& trace, std::string_view what, Language language = Language::english);
    /// Begins anew at the next look_for().
    void forget() noexcept { trace_ = nullptr; }
    /// Looks at so many events more. Whether some are left. After look_for(), while the trace lives.
    bool step(std::size_t events);
    bool done() const noexcept { return trace_ == nullptr || looked_ >= size_; }
    /// Those found so far, ascending.
    const std::vector<std::size_t>& all() const noexcept { return all_; }
    /// Which of all() is the next one after `event`, or the one before it; goes round at the end. None if there is
    /// none.
    std::optional<std::size_t> beside(std::size_t event, bool forward) const;
    /// Which of all() is `event`; none if it is not one of them.
    std::optional<std::size_t> rank(std::size_t event) const;

  private:
    const trace::Trace* trace_ = nullptr;
    std::string what_;
    Language language_ = Language::english;
    std::size_t looked_ = 0, size_ = 0;
    std::vector<std::size_t> all_;
};

}  // namespace fiberscope::viewer
