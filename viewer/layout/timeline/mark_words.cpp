// Descriptions of marks.
#include <algorithm>
#include <array>

#include "traces/words/words.h"
#include "viewer/layout/timeline/timeline.h"

namespace fiberscope::viewer {
namespace {

constexpr std::array<Text, kMarkKinds> kMarkWords{
    mark("note"),  mark("copied in"),        mark("copied out"), mark("address used"), mark("waits for a lock"),
    mark("fault"), mark("another's address")};
constexpr std::size_t kFirstMarks = 3;

std::span<const std::uint32_t> events_of(const trace::Replay& replay, const TraceIndex& index, const Mark& sign) {
    const auto all = index.marks().beside(replay.trace()[sign.event]);
    const auto first = std::lower_bound(all.begin(), all.end(), sign.event);
    return all.subspan(static_cast<std::size_t>(first - all.begin()), sign.count);
}

}  // namespace

std::string mark_words(const trace::Replay& replay, const TraceIndex& index, const Mark& sign, Language language) {
    const trace::Trace& trace = replay.trace();
    if (sign.count == 1) return trace::describe(trace, sign.event, language);
    std::array<std::vector<std::uint32_t>, kMarkKinds> kinds;
    for (const std::uint32_t n : events_of(replay, index, sign))
        kinds[static_cast<std::size_t>(mark_kind(trace, n))].push_back(n);
    std::string counts, first;
    std::size_t left = kFirstMarks;
    for (std::size_t kind = kMarkKinds; kind-- > 0;) {
        if (kinds[kind].empty()) continue;
        counts += counts.empty() ? "" : say(language, mark(", ", "list"));
        counts += say(language, "{0}: {1}", say(language, kMarkWords[kind]), kinds[kind].size());
        for (std::size_t i = 0; i < kinds[kind].size() && left > 0; ++i, --left)
            first += "\n" + say(language, "event {0}: {1}", kinds[kind][i] + 1,
                                trace::describe(trace, kinds[kind][i], language));
    }
    const std::uint64_t span = trace.time(sign.last) - trace.time(sign.event);
    std::string words = span == 0 ? say(language, "{0} marks at one moment", sign.count)
                                  : say(language, "{0} marks within {1}", sign.count, trace::in_words(span));
    words += " (" + counts + ")" + first;
    if (sign.count > kFirstMarks) words += "\n" + say(language, "and {0} more", sign.count - kFirstMarks);
    return words;
}

std::optional<Range> around(const trace::Trace& trace, const Mark& sign) {
    const auto from = static_cast<double>(trace.time(sign.event)), to = static_cast<double>(trace.time(sign.last));
    if (to <= from) return std::nullopt;
    constexpr double kMargin = 0.25;
    return Range{from - kMargin * (to - from), to + kMargin * (to - from)};
}

}  // namespace fiberscope::viewer
