#include "labs/kit/report/abort.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fiberscope::kit {

namespace {
char kept[256] = "";
bool told_by_handler = false;
}  // namespace

void keep_abort_reason(const char* reason) noexcept { std::strncpy(kept, reason, sizeof kept - 1); }

const char* abort_reason() noexcept { return kept; }

void fault_handler_tells_reasons() noexcept { told_by_handler = true; }

void abort_because(const char* reason) noexcept {
    keep_abort_reason(reason);
    if (!told_by_handler) std::fprintf(stderr, "%s\n", reason);
    std::abort();
}

}  // namespace fiberscope::kit
