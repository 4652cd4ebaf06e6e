// A call of fiberscope-trace, for tests.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "traces/tool/verbs.h"

namespace fiberscope::trace::testing {

struct Answer {
    int status;
    std::string out, err;
    bool says(const std::string& part) const { return out.find(part) != std::string::npos; }
    bool complains(const std::string& part) const { return err.find(part) != std::string::npos; }
    std::string all() const { return out + err; }
};

/// The result of the tool for these arguments.
inline Answer call(const std::vector<std::string>& words) {
    std::ostringstream out, err;
    const int status = tool::run(words, out, err);
    return {status, out.str(), err.str()};
}

}  // namespace fiberscope::trace::testing
