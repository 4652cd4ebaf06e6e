// Step 1.1: make a context. The contract is in ../context.h, the picture in ../README.md.
#include "labs/01_switch_asm/context.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab01 {

void make_context([[maybe_unused]] Context& context, [[maybe_unused]] std::byte* bottom,
                  [[maybe_unused]] std::size_t size, [[maybe_unused]] Entry entry, [[maybe_unused]] void* argument) {
    // Which values must a switch load from this context, so that context_start (start_x86_64.S or start_aarch64.S)
    // finds an empty, aligned stack, the entry and its argument?
    kit::not_implemented("1.1", "make_context: prepare the first switch to a new stack");
}

}  // namespace fiberscope::lab01
