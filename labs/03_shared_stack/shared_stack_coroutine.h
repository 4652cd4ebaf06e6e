// Given: what a coroutine of this lab is made of, whatever schedules it: registers, a stack that is shared or its own,
// an image, a job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/02_ucontext/job.h"
#include "labs/03_shared_stack/context_backend.h"
#include "labs/03_shared_stack/image.h"
#include "labs/03_shared_stack/shared_stack.h"
#include "labs/kit/run/coroutine.h"

namespace fiberscope::lab03 {

class SharedStackCoroutine : public kit::Core {
  public:
    /// Runs on `shared`, and then `stack` only borrows it; with no `shared` on `stack`, which it owns.
    SharedStackCoroutine(const ContextBackend& backend, SharedStack* shared, kit::Stack&& stack, Entry entry,
                         kit::Body body, std::string name, std::uint32_t reuses = trace::kNone);
    ~SharedStackCoroutine();

    const ContextBackend& backend() const noexcept { return kContextBackends[static_cast<std::size_t>(kind_)]; }
    void* registers() noexcept { return registers_.get(kind_); }
    /// Null: it has a stack of its own.
    SharedStack* shared() const noexcept { return shared_; }

    /// Whether its first entry has been prepared.
    bool has_context() const noexcept { return has_context_; }
    /// Prepares it, on its shared stack: only when no other bytes lie there any more (see make_registers). One with a
    /// stack of its own has it from the beginning.
    void make_first_context();
    /// On the resumer's stack, after its end: nothing lives on its shared stack now, and its image is of no use.
    void release_shared_stack() noexcept;

    // Keeps idle coroutines small: what follows lies in the last word of the job.
    Image image;
    [[no_unique_address]] lab02::Job job;

  private:
    ContextBackend::Kind kind_;
    bool has_context_ = false;

  public:
    std::uint32_t live = 0;  ///< bytes of the shared stack that were live when control last left it

  private:
    void prepare(Entry entry);

    SharedStack* shared_;
    Registers registers_;
};

/// The registers of a coroutine, or of the thread's own context.
inline void* registers_in(kit::Core& core) noexcept {
    if (core.kind() == trace::CoKind::thread) return static_cast<kit::ThreadOwner&>(core).registers;
    return static_cast<SharedStackCoroutine&>(core).registers();
}
/// The shared stack that `core` runs on; null for the thread's own context and for one with a stack of its own.
inline SharedStack* shared_stack_of(const kit::Core& core) noexcept {
    if (core.kind() == trace::CoKind::thread) return nullptr;
    return static_cast<const SharedStackCoroutine&>(core).shared();
}

}  // namespace fiberscope::lab03
