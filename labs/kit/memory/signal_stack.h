// The alternate stack of signal handlers, since a coroutine's stack may be full.
#pragma once

#include <cstddef>

namespace fiberscope::kit {

/// The signal stack of the thread that creates it; every thread with coroutines has one.
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
