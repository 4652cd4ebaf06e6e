// The last events of a trace in words: the only part of the grader that reads traces.
#include <algorithm>

#include "labs/grader/speech/speech.h"
#include "labs/grader/verdict.h"
#include "labs/kit/report/report.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/words/registers.h"
#include "traces/words/words.h"

namespace fiberscope::grader {
namespace {

using Changes = std::vector<trace::ChangedRegister>;

/// The event in words, and below it what came back different from how it was left.
void tell(std::vector<std::string>& lines, const trace::Trace& trace, std::size_t n, const Changes& changes) {
    lines.push_back(says("#{0}  at {1}  {2}", std::to_string(n + 1), trace::in_words(trace[n].t),
                         trace::describe(trace, n, language())));
    for (const auto& changed : changes)
        if (changed.event == n)
            lines.push_back("      " + says("≠ {0} {1} was {2}, loaded into {3}", changed.name, changed.now,
                                            changed.before, std::string(trace.name(changed.co))));
}

bool is_failure(const trace::Trace& trace, std::size_t n) {
    if (trace[n].kind == trace::Kind::fault) return true;
    return trace[n].kind == trace::Kind::note && trace.text(trace[n].text).starts_with(kit::kFailedNote);
}

/// A coroutine, or a set that something is in. A test that looks at the run of a child leaves a trace in which a thread
/// begins and notes something.
bool shows_something(const trace::Trace& trace) {
    for (std::size_t n = 0; n < trace.size(); ++n) {
        if (trace[n].kind == trace::Kind::insert) return true;
        if (trace[n].kind == trace::Kind::spawn && trace[n].first<trace::CoKind>() != trace::CoKind::thread)
            return true;
    }
    return false;
}

/// Asking in vain without end says nothing new each time.
bool is_poll(const trace::Trace& trace, std::size_t n) { return trace[n].kind == trace::Kind::poll; }

/// The numbers of the last `count` events before `end`, ascending. Of polls that follow one another only the last two.
std::vector<std::size_t> last_events(const trace::Trace& trace, std::size_t end, std::size_t count) {
    std::vector<std::size_t> chosen;
    std::size_t polls = 0;
    for (std::size_t n = end; n-- > 0 && chosen.size() < count;) {
        polls = is_poll(trace, n) ? polls + 1 : 0;
        if (polls <= 2) chosen.push_back(n);
    }
    std::reverse(chosen.begin(), chosen.end());
    return chosen;
}

/// The number, from 1, of the event of the failure: the first register that came back wrong, else the
/// first failed assertion or fault; 0 if there is none of these.
std::size_t event_of_failure(const trace::Trace& trace, const Changes& changes) {
    if (!changes.empty()) return changes.front().event + 1;
    for (std::size_t n = 0; n < trace.size(); ++n)
        if (is_failure(trace, n)) return n + 1;
    return 0;
}

}  // namespace

TraceStory story_of(const std::filesystem::path& file, std::size_t count) {
    std::error_code error;
    if (file.empty() || std::filesystem::file_size(file, error) == 0 || error)
        return {
            {says("No event reached the file (a process that is killed, or leaves by _exit, loses the last ones).")},
            0,
            0,
            false};
    try {
        const trace::Trace trace = trace::read(file);
        const Changes changes = trace::changed_registers(trace);
        TraceStory story{{}, event_of_failure(trace, changes), trace.dropped, shows_something(trace)};
        // Events after a failed assertion are only the end of the test, unless the last one is a fault.
        const bool is_at_end = !changes.empty() || story.at == 0 || trace[trace.size() - 1].kind == trace::Kind::fault;
        const std::size_t end = is_at_end ? trace.size() : story.at;
        const std::vector<std::size_t> last = last_events(trace, end, count);
        if (!changes.empty() && changes.front().event < last.front()) {
            tell(story.lines, trace, changes.front().event, changes);
            story.lines.emplace_back("…");
        }
        for (std::size_t i = 0; i < last.size(); ++i) {
            if (i > 0 && last[i] != last[i - 1] + 1) story.lines.emplace_back("…");
            tell(story.lines, trace, last[i], changes);
        }
        if (story.lines.empty())
            story.lines.push_back(
                says("No event reached the file (a process that is killed, or leaves by _exit, loses the last ones)."));
        return story;
    } catch (const trace::ReadError& unreadable) {
        return {{says("The trace cannot be read: {0}", trace::printable(unreadable.in(language())))}, 0, 0, false};
    }
}

}  // namespace fiberscope::grader
