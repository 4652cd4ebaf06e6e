#include "labs/grader/build_progress.h"

#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

/// "[12/80]" of the last line in which Ninja says so; empty if none does.
std::string_view last_count(std::string_view output) {
    for (std::size_t at; (at = output.rfind("\n[")) != output.npos; output = output.substr(0, at)) {
        const std::string_view line = output.substr(at + 1);
        const std::size_t end = line.find(']');
        if (end != line.npos && line.substr(0, end).find('/') != line.npos) return line.substr(0, end + 1);
    }
    return {};
}

}  // namespace

std::string BuildProgress::line(std::string_view output, Milliseconds since) {
    constexpr Milliseconds kBetween{10'000};
    if (since < next_) return "";
    next_ = since + kBetween;
    return says("lab: building your files and the tests, {0}", last_count(output));
}

}  // namespace fiberscope::grader
