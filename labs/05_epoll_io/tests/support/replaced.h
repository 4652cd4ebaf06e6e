// Temporarily replaces a system call, so that a test can stop a thread between two lines.
#pragma once

#include <utility>

#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05::testing {

/// `Call` is a member of SystemCalls. One at a time for each; while it lives, before() is the original.
template <auto Call>
class Replaced {
  public:
    using Function = std::remove_reference_t<decltype(std::declval<SystemCalls&>().*Call)>;

    explicit Replaced(Function by) { before_ = std::exchange(calls().*Call, by); }
    ~Replaced() { calls().*Call = before_; }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;

    static Function before() noexcept { return before_; }

  private:
    static SystemCalls& calls() { return const_cast<SystemCalls&>(system_calls()); }  // NOLINT: for tests only

    static inline Function before_ = nullptr;
};

}  // namespace fiberscope::lab05::testing
