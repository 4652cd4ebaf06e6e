#include "labs/kit/testing/left_out.h"

#include "labs/kit/report/report.h"
#include "languages/message.h"

namespace fiberscope::kit::testing {

namespace {
std::string& reason() noexcept {
    static std::string said;
    return said;
}
}  // namespace

void leave_out(const std::string& why) {
    reason() = why;
    tell_person(message("left out: {0}", Value::of(why)));
}

const std::string& why_left_out() noexcept { return reason(); }

}  // namespace fiberscope::kit::testing
