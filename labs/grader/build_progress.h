// How far a build is, for a student who waits for it.
#pragma once

#include <string>
#include <string_view>

#include "labs/grader/process/process.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {

struct BuildProgress {
    Milliseconds next{10'000};

    /// What to say when the build tool has put out `output` after so long: "lab: building, [12/80]" every ten seconds,
    /// and nothing in between.
    std::string line(std::string_view output, Milliseconds since) {
        if (since < next) return "";
        next = since + Milliseconds(10'000);
        std::string_view count;  // "[12/80]", of the last line in which Ninja says so
        for (std::size_t at; count.empty() && (at = output.rfind("\n[")) != output.npos;
             output = output.substr(0, at)) {
            const std::string_view line = output.substr(at + 1, output.find(']', at) - at);
            if (line.ends_with(']') && line.find('/') < line.find('\n')) count = line;
        }
        return says("lab: building your files and the tests, {0}", count);
    }
};

}  // namespace fiberscope::grader
