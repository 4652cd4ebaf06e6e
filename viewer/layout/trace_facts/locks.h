// Holders and waiters of each lock at the playhead.
#pragma once

#include <string>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

struct LockUser {
    std::uint32_t co = trace::kNone;
    trace::LockMode mode = trace::LockMode::mutex;
};
struct LockNow {
    std::uint32_t object = trace::kNone;  ///< text
    std::vector<LockUser> holders;        ///< in the order of acquisition
    std::vector<LockUser> waiters;        ///< likewise
};
/// The locks and conditions of the trace, in the order of their first events.
std::vector<LockNow> locks_at(const trace::Replay& replay, const TraceIndex& index);

/// "A and B read; C waits to write", "free". At most `named` users of each kind are named, others are counted.
std::string lock_in_words(const trace::Trace& trace, const LockNow& lock, Language language = Language::english,
                          std::size_t named = 3);

}  // namespace fiberscope::viewer
