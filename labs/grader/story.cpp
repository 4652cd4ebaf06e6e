// The last events of a trace in words: the only part of the grader that reads traces.
#include <algorithm>

#include "labs/grader/verdict.h"
#include "traces/read/reader.h"
#include "traces/words/words.h"

namespace fiberscope::grader {
namespace {

constexpr const char* kNone = "No event reached the file (who is killed, or leaves by _exit, loses the last ones).";

}  // namespace

std::vector<std::string> last_events(const std::filesystem::path& file, std::size_t count) {
    std::error_code error;
    if (file.empty() || std::filesystem::file_size(file, error) == 0 || error) return {kNone};
    try {
        const trace::Trace trace = trace::read(file);
        std::vector<std::string> lines;
        for (std::size_t n = trace.size() - std::min(trace.size(), count); n < trace.size(); ++n)
            lines.push_back("#" + std::to_string(n + 1) + "  at " + trace::in_words(trace[n].t) + "  " +
                            trace::describe(trace, n));
        if (lines.empty()) lines.emplace_back(kNone);
        return lines;
    } catch (const trace::ReadError& unreadable) {
        return {std::string("The trace cannot be read: ") + unreadable.what()};
    }
}

}  // namespace fiberscope::grader
