#include <ostream>

#include "traces/check/checker.h"
#include "traces/read/reader.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

std::string count(std::size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

bool check_file(const std::string& file, std::ostream& out) {
    const Trace trace = read(std::filesystem::path(file));
    if (!trace.missing.empty()) out << file << ": note: " << trace.missing << ".\n";
    if (trace.dropped > 0) out << file << ": note: the recorder dropped " << count(trace.dropped, "event") << ".\n";
    const auto broken = check(trace);
    if (!broken) {
        out << file << ": " << count(trace.size(), "event") << " on " << count(trace.machines(), "machine")
            << " satisfy all " << kInvariants << " invariants.\n";
        return true;
    }
    out << file << ", line " << broken->line << ": event " << broken->event + 1 << " ("
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
