#include "viewer/model/find/search.h"

#include <algorithm>

#include "traces/words/words.h"
#include "viewer/layout/base/substring.h"

namespace fiberscope::viewer {
std::vector<std::uint32_t> find_coroutines(const trace::Trace& trace, std::string_view what, std::size_t most) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t co = 0; co < trace.coroutines() && found.size() < most; ++co)
        if (has_substring(trace.name(co), what)) found.push_back(co);
    return found;
}

void EventHits::look_for(const trace::Trace& trace, std::string_view what, Language language) {
    if (trace_ == &trace && size_ == trace.size() && what_ == what && language_ == language) return;
    trace_ = &trace;
    size_ = trace.size();
    what_ = what;
    language_ = language;
    looked_ = what.empty() ? size_ : 0;
    all_.clear();
}

bool EventHits::step(std::size_t events) {
    if (done()) return false;
    for (const std::size_t end = std::min(size_, looked_ + events); looked_ < end; ++looked_)
        if (has_substring(trace::describe(*trace_, looked_, language_), what_)) all_.push_back(looked_);
    return !done();
}

std::optional<std::size_t> EventHits::beside(std::size_t event, bool forward) const {
    if (all_.empty()) return std::nullopt;
    const auto at =
        forward ? std::upper_bound(all_.begin(), all_.end(), event) : std::lower_bound(all_.begin(), all_.end(), event);
    if (forward) return at == all_.end() ? 0 : static_cast<std::size_t>(at - all_.begin());
    return static_cast<std::size_t>((at == all_.begin() ? all_.end() : at) - all_.begin()) - 1;
}

std::optional<std::size_t> EventHits::rank(std::size_t event) const {
    const auto at = std::lower_bound(all_.begin(), all_.end(), event);
    if (at == all_.end() || *at != event) return std::nullopt;
    return static_cast<std::size_t>(at - all_.begin());
}

}  // namespace fiberscope::viewer
