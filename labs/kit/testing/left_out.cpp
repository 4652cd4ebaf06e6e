#include "labs/kit/testing/left_out.h"

#include <cstdio>

namespace fiberscope::kit::testing {

namespace {
std::string& reason() noexcept {
    static std::string said;
    return said;
}
}  // namespace

void leave_out(const std::string& why) {
    reason() = why;
    std::fprintf(stderr, "left out: %s\n", why.c_str());
}

const std::string& why_left_out() noexcept { return reason(); }

}  // namespace fiberscope::kit::testing
