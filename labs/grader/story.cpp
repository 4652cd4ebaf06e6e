// The report of one test, with the last events of its trace in words: the only part of the grader that reads traces.
#include <algorithm>

#include "labs/grader/session.h"
#include "labs/grader/speech/speech.h"
#include "labs/kit/report/report.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/words/registers.h"
#include "traces/words/words.h"

namespace fiberscope::grader {
namespace {

using Changes = std::vector<trace::ChangedRegister>;

/// The event in words, and below it the registers that came back with a different value.
std::string event_in_words(const trace::Trace& trace, std::size_t n, const Changes& changes) {
    std::string text = "    " +
                       says("#{0}  at {1}  {2}", std::to_string(n + 1), trace::in_words(trace[n].t),
                            trace::describe(trace, n, language())) +
                       "\n";
    for (const auto& changed : changes)
        if (changed.event == n)
            text += "          " +
                    says("≠ {0} {1} was {2}, loaded into {3}", changed.name, changed.now, changed.before,
                         std::string(trace.name(changed.co))) +
                    "\n";
    return text;
}

bool is_failed(const trace::Trace& trace, std::size_t n) {
    if (trace[n].kind == trace::Kind::fault) return true;
    return trace[n].kind == trace::Kind::note && trace.text(trace[n].text).starts_with(kit::kFailedNote);
}

/// Whether the trace has a coroutine, or a set that was not empty. The trace of a test that only examines a child's run
/// has a thread and its notes.
bool shows_something(const trace::Trace& trace) {
    for (std::size_t n = 0; n < trace.size(); ++n) {
        if (trace[n].kind == trace::Kind::insert) return true;
        if (trace[n].kind == trace::Kind::spawn && trace[n].first<trace::CoKind>() != trace::CoKind::thread)
            return true;
    }
    return false;
}

/// The numbers of the last events before `end`, ascending. Of consecutive polls only the last two: repeated polls
/// without events add nothing.
std::vector<std::size_t> last_events(const trace::Trace& trace, std::size_t end) {
    constexpr std::size_t kEvents = 10;
    std::vector<std::size_t> chosen;
    std::size_t polls = 0;
    for (std::size_t n = end; n-- > 0 && chosen.size() < kEvents;) {
        polls = trace[n].kind == trace::Kind::poll ? polls + 1 : 0;
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
        if (is_failed(trace, n)) return n + 1;
    return 0;
}

/// The last events of a trace, and how to watch it.
std::string events_in_words(const std::filesystem::path& file) {
    std::error_code missing;
    const bool is_empty = std::filesystem::file_size(file, missing) == 0 || missing;
    const trace::Trace trace = is_empty ? trace::Trace() : trace::read(file);
    const Changes changes = trace::changed_registers(trace);
    const std::size_t at = event_of_failure(trace, changes);
    // The events after a failed assertion only belong to the end of the test, unless the last one is a fault.
    const bool is_at_end = !changes.empty() || at == 0 || trace[trace.size() - 1].kind == trace::Kind::fault;
    std::vector<std::size_t> events = last_events(trace, is_at_end ? trace.size() : at);
    if (!changes.empty() && changes.front().event < events.front())
        events.insert(events.begin(), changes.front().event);
    std::string text;
    if (events.empty())
        text = "    " +
               says("No event was written to the file (a process that is killed or calls _exit loses the last ones).") +
               "\n";
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (i > 0 && events[i] != events[i - 1] + 1) text += "    …\n";
        text += event_in_words(trace, events[i], changes);
    }
    if (trace.dropped > 0)
        text += "  " +
                says("The recording stops at {0} MiB: {1} later events are not in it.",
                     std::to_string((std::filesystem::file_size(file) + (1 << 20) - 1) >> 20),
                     std::to_string(trace.dropped)) +
                "\n";
    if (!shows_something(trace))
        return text + "  " + says("There is no trace to watch: the test ran no coroutine in its own process.") + "\n";
    text += "  " + says("The trace:") + " " + shown(file) + "\n";
    text += "  " + says("Watch it: ") + " ./lab view " + shown(file);
    return text + (at > 0 ? " --at " + std::to_string(at) : "") + "\n";
}

/// Adds a full stop, unless it is a question.
std::string ended(const std::string& sentence) {
    if (sentence.ends_with('?') || sentence.ends_with("？")) return sentence;
    return sentence + (language() == Language::chinese ? "。" : ".");
}

/// The command to debug a test with gdb. A student's tree uses gdb directly, without a verb.
std::string debug(const Settings& settings, const std::string& test) {
#if __has_include("extras/gdb/fiberscope.py")
    return "./lab debug " + lab_number(settings) + " \"" + test + "\"";
#else
    return "gdb --args " + shown(settings.program) + " --one \"" + test + "\"";
#endif
}

}  // namespace

std::string story(const Settings& settings, const Test& test, const Verdict& verdict) {
    std::string text = "✗ " + name_in_words(test.name) + "\n  " + ended(verdict.headline) + "\n";
    for (const std::string& line : verdict.details) text += "    " + line + "\n";
    text += "  " + says("The last events:") + "\n";
    try {
        text += events_in_words(verdict.trace);
    } catch (const trace::ReadError& unreadable) {
        text += "    " + says("The trace cannot be read: {0}", trace::printable(unreadable.in(language()))) + "\n";
    }
    if (verdict.result != Result::not_implemented)
        text += "  " + says("In gdb:   ") + " " + debug(settings, test.name) + "\n";
    return text;
}

}  // namespace fiberscope::grader
