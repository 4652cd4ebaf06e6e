// How far a build is, for a student who waits for it.
#pragma once

#include <string>
#include <string_view>

#include "labs/grader/process/process.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {

struct BuildProgress {
    Milliseconds next{10'000};

    /// The message for `output`, all that the build tool has printed after `since`: "lab: building …, [12/80]" every
    /// ten seconds, and an empty string in between.
    std::string line(std::string_view output, Milliseconds since) {
        if (since < next) return "";
        next = since + Milliseconds(10'000);
        const std::string_view count = last_count(output);
        if (count.empty()) return says("lab: building your files and the tests, the first step is not finished yet");
        return says("lab: building your files and the tests, {0}", count);
    }

  private:
    /// "[12/80]", from the last line that begins with it; empty if there is none.
    static std::string_view last_count(std::string_view output) {
        for (std::size_t begin = output.size(); begin != output.npos;) {
            begin = begin == 0 ? output.npos : output.rfind('\n', begin - 1);
            const std::string_view line = output.substr(begin + 1);  // npos + 1 is 0
            const std::string_view count = line.substr(0, line.find(']') + 1);
            if (count.starts_with('[') && count.find_first_not_of("[0123456789/]") == count.npos) return count;
        }
        return {};
    }
};

}  // namespace fiberscope::grader
