#include "labs/kit/report/abort.h"

#include <cstdlib>
#include <cstring>

#include "labs/kit/report/report.h"

namespace fiberscope::kit {

namespace {
char kept[512] = "";
bool told_by_handler = false;
}  // namespace

void keep_abort_reason(const char* reason) noexcept { std::strncpy(kept, reason, sizeof kept - 1); }

const char* abort_reason() noexcept { return kept; }

void fault_handler_tells_reasons() noexcept { told_by_handler = true; }

void abort_because(const char* reason) noexcept {
    keep_abort_reason(reason);
    if (!told_by_handler) tell_person(reason);
    std::abort();
}

}  // namespace fiberscope::kit
