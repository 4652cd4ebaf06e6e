#include "viewer/model/search.h"

#include "traces/words/words.h"
#include "viewer/layout/base/substring.h"

namespace fiberscope::viewer {
std::vector<std::uint32_t> find_coroutines(const trace::Trace& trace, std::string_view what, std::size_t most) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t co = 0; co < trace.coroutines() && found.size() < most; ++co)
        if (has_substring(trace.name(co), what)) found.push_back(co);
    return found;
}

std::optional<std::size_t> find_event(const trace::Trace& trace, std::string_view what, std::size_t from, bool forward,
                                      Language language) {
    const std::size_t size = trace.size();
    for (std::size_t i = 1; i <= size; ++i) {
        const std::size_t n = forward ? (from + i) % size : (from % size + size - i) % size;
        if (has_substring(trace::describe(trace, n, language), what)) return n;
    }
    return std::nullopt;
}

}  // namespace fiberscope::viewer
