// Step 3.4: stacks shared by several coroutines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "labs/03_shared_stack/context_backend.h"
#include "labs/kit/memory/stack.h"
#include "labs/kit/memory/valgrind.h"
#include "labs/kit/run/core.h"

namespace fiberscope::lab03 {

class SharedStackCoroutine;

/// One stack, and the coroutine whose bytes are on it. As libco's stStackMem_t with its occupy_co.
class SharedStack {
  public:
    /// Allocates `size` bytes, rounded up to whole pages, with a guard below. Throws std::system_error on failure.
    explicit SharedStack(std::size_t size);

    const kit::StackBounds& bounds() const noexcept { return bounds_; }
    std::uint32_t index() const noexcept { return index_; }  ///< the stack's number in the trace
    /// The entry of all coroutines on this stack, which are of one kind.
    Entry entry() const noexcept { return entry_; }
    void begins_by(Entry first) noexcept { entry_ = first; }
    /// The coroutine whose bytes are here, or null.
    SharedStackCoroutine* owner() const noexcept { return owner_; }
    void settle(SharedStackCoroutine* owner) noexcept {
        owner_ = owner;
        kit::announce_frames(bounds_.bottom, bounds_.size);
    }
    /// Step 3.4. Clears the owner if it is `dead`, which has ended. (libco #64: the dead owner stayed, and a later
    /// coroutine was not restored.)
    void forget(const SharedStackCoroutine& dead) noexcept;

    /// The own context of the thread that created the stack, the only thread on which coroutines may run on it.
    const kit::Core* thread() const noexcept { return thread_; }

  private:
    kit::Stack stack_;
    kit::StackBounds bounds_;
    SharedStackCoroutine* owner_ = nullptr;
    const kit::Core* thread_;
    Entry entry_ = nullptr;
    std::uint32_t index_;
};

/// K stacks for any number of coroutines, all of one backend. Belongs to the thread that created it, and must outlive
/// its coroutines. As libco's stShareStack_t, made by co_alloc_sharestack(count, stack_size).
class SharedStacks {
  public:
    /// Throws std::invalid_argument if `count` is 0 or the backend is unknown, std::system_error if no stack can be
    /// allocated.
    explicit SharedStacks(std::size_t count, std::size_t stack_size = kit::kDefaultStackSize,
                          std::string_view backend = "asm");

    /// Step 3.4. Returns the stack of the next coroutine to be created, round-robin from the first. As libco's
    /// co_get_stackmem.
    SharedStack& next() noexcept;

    std::size_t count() const noexcept { return stacks_.size(); }
    SharedStack& stack(std::size_t i) noexcept { return *stacks_[i]; }
    const ContextBackend& backend() const noexcept { return backend_; }

  private:
    const ContextBackend& backend_;
    std::vector<std::unique_ptr<SharedStack>> stacks_;
    std::size_t next_ = 0;
};

}  // namespace fiberscope::lab03
