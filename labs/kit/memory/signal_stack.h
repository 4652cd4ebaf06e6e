// The stack that a signal handler runs on, since a coroutine's may be used up.
#pragma once

#include <cstddef>

namespace fiberscope::kit {

/// The signal stack of the thread that makes it; every thread with coroutines has one.
class SignalStack {
  public:
    SignalStack();
    ~SignalStack();
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

  private:
    void* memory_;
    std::size_t size_;
};

}  // namespace fiberscope::kit
