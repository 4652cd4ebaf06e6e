// Shared by the behaviour tests on shared stacks.
#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include "labs/03_shared_stack/coroutine.h"

namespace fiberscope::lab03 {

/// A coroutine on this process's only shared stack with that backend, so that every nested resume needs the copier.
template <ContextBackend::Kind by>
class OnOneStack : public Coroutine {
  public:
    template <std::invocable F>
    explicit OnOneStack(F&& body, kit::Attributes attributes = {})
        : Coroutine(std::forward<F>(body), group(), std::move(attributes.name)) {}

  private:
    static SharedStacks& group() {
        constexpr std::string_view kName = by == ContextBackend::Kind::asm_ ? "asm" : "ucontext";
        static auto& one = *new SharedStacks(1, std::size_t{1024} * 1024, kName);
        return one;
    }
};

}  // namespace fiberscope::lab03
