#include "labs/01_switch_asm/context.h"

namespace fiberscope::lab01 {

void make_context(Context& context, std::byte* bottom, std::size_t size, Entry entry, void* argument) {
    constexpr std::uint64_t kAlignment = 16;
    const auto top = reinterpret_cast<std::uint64_t>(bottom + size) & ~(kAlignment - 1);
    context = {};
#if defined(__x86_64__)
    context.rsp = top;
    context.rip = reinterpret_cast<std::uint64_t>(&context_start);
    context.r12 = reinterpret_cast<std::uint64_t>(entry);
    context.r13 = reinterpret_cast<std::uint64_t>(argument);
#else
    context.sp = top;
    context.lr = reinterpret_cast<std::uint64_t>(&context_start);
    context.x19 = reinterpret_cast<std::uint64_t>(entry);
    context.x20 = reinterpret_cast<std::uint64_t>(argument);
#endif
}

}  // namespace fiberscope::lab01
