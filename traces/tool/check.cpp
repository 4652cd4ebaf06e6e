#include <ostream>

#include "traces/check/checker.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

bool check_file(const std::string& file, Language language, std::ostream& out) {
    const Trace trace = read_events_of(std::filesystem::path(file));
    const std::string name = printable(file);
    const auto note = [&](const std::string& words) { out << say(language, "{0}: note: {1}.", name, words) << '\n'; };
    if (!trace.missing.empty()) note(formatted(trace.missing, language));
    if (trace.dropped > 0) note(say(language, "the recorder dropped {0} {0:event|events}", trace.dropped));
    const auto broken = check(trace);
    const std::size_t judged = judged_events(trace);
    if (judged < trace.size())
        note(say(language,
                 "checked are only the first {0} {0:event|events} of {1}, up to the last time that every machine has "
                 "reached",
                 judged, trace.size()));
    if (!broken) {
        out << say(language, "{0}: {1} {1:event|events} on {2} {2:machine|machines} satisfy all {3} invariants.", name,
                   judged, trace.machines(), kInvariants)
            << '\n';
        return true;
    }
    out << say(language, "{0}, line {1}: event {2} ({3}) breaks invariant {4}: {5}.", name, broken->line,
               broken->event + 1, describe(trace, broken->event, language), broken->invariant,
               formatted(broken->why, language))
        << "\n  " << say(language, "The invariant: {0}.", invariant_in_words(broken->invariant, language)) << '\n';
    return false;
}

}  // namespace

int check_files(const Arguments& arguments, std::ostream& out) {
    const Language language = arguments.language();
    bool good = true;
    for (const std::string& file : arguments.files) good = check_file(file, language, out) && good;
    return good ? 0 : 1;
}

}  // namespace fiberscope::trace::tool
