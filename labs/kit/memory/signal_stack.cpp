#include "labs/kit/memory/signal_stack.h"

#include <signal.h>
#include <sys/mman.h>

namespace fiberscope::kit {

namespace {
constexpr std::size_t kSignalStackSize = 64 * 1024;
}

SignalStack::SignalStack()
    : memory_(mmap(nullptr, kSignalStackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
      size_(kSignalStackSize) {
    if (memory_ == MAP_FAILED) return;
    const stack_t stack{.ss_sp = memory_, .ss_flags = 0, .ss_size = size_};
    sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, nullptr);
    munmap(memory_, size_);
}

}  // namespace fiberscope::kit
