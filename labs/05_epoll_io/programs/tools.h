// Verbs of `./lab run 05` that are defined outside of tools.cpp.
#pragma once

#include <vector>

#include "languages/command_line.h"

namespace fiberscope::lab05 {

struct MoreVerb {
    const char* name;
    void (*add)(CommandLine& line);  ///< adds the verb and its options
    int (*run)();                    ///< returns the exit status
};

inline std::vector<MoreVerb>& more_verbs() {
    static std::vector<MoreVerb> verbs;
    return verbs;
}

}  // namespace fiberscope::lab05
