#include <ostream>

#include "traces/check/checker.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

std::string count(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

bool check_file(const std::string& file, std::ostream& out) {
    const Trace trace = read(std::filesystem::path(file));
    const std::string name = printable(file);
    if (!trace.missing.empty()) out << name << ": note: " << trace.missing << ".\n";
    if (trace.dropped > 0) out << name << ": note: the recorder dropped " << count(trace.dropped, "event") << ".\n";
    const auto broken = check(trace);
    const std::size_t judged = judged_events(trace);
    if (judged < trace.size())
        out << name << ": note: judged are the first " << count(judged, "event") << " of " << trace.size()
            << ", up to the moment up to which every machine has delivered.\n";
    if (!broken) {
        out << name << ": " << count(judged, "event") << " on " << count(trace.machines(), "machine") << " satisfy all "
            << kInvariants << " invariants.\n";
        return true;
    }
    out << name << ", line " << broken->line << ": event " << broken->event + 1 << " ("
        << describe(trace, broken->event) << ") breaks invariant " << broken->invariant << ": " << broken->why
        << ".\n  The invariant: " << invariant_in_words(broken->invariant) << ".\n";
    return false;
}

}  // namespace

int check_files(const Arguments& arguments, std::ostream& out) {
    bool good = true;
    for (const std::string& file : arguments.files) good = check_file(file, out) && good;
    return good ? 0 : 1;
}

}  // namespace fiberscope::trace::tool
