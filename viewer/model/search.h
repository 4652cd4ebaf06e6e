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

/// The next event after event `from` (or the one before it) whose sentence holds `what`; goes round at the end. Nothing
/// if there is none.
std::optional<std::size_t> find_event(const trace::Trace& trace, std::string_view what, std::size_t from, bool forward,
                                      Language language = Language::english);

}  // namespace fiberscope::viewer
