// Given: the parts of every coroutine of this lab: registers, a shared or private stack, an image, a job.
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
    /// Runs on `shared`, borrowing `stack`'s memory; if `shared` is null, runs on `stack`, which it owns.
    SharedStackCoroutine(const ContextBackend& backend, SharedStack* shared, kit::Stack&& stack, Entry entry,
                         kit::Body body, std::string name, std::uint32_t reuses = trace::kNone);
    ~SharedStackCoroutine();

    const ContextBackend& backend() const noexcept { return kContextBackends[static_cast<std::size_t>(kind_)]; }
    void* registers() noexcept { return registers_.get(kind_); }
    /// Null for a private stack.
    SharedStack* shared() const noexcept { return shared_; }

    /// Whether the first entry has been prepared.
    bool has_context() const noexcept { return has_context_; }
    /// Prepares the first entry on the shared stack, which must not be in use (see make_registers). A coroutine with a
    /// private stack is prepared from the beginning.
    void make_first_context();
    /// Clears the owner of the shared stack and releases the image. Called after the end, on the resumer's stack.
    void release_shared_stack() noexcept;

    // Keeps idle coroutines small: the next members fill the padding of the job.
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
/// The shared stack of `core`; null for the thread's own context and for a coroutine with a private stack.
inline SharedStack* shared_stack_of(const kit::Core& core) noexcept {
    if (core.kind() == trace::CoKind::thread) return nullptr;
    return static_cast<const SharedStackCoroutine&>(core).shared();
}

}  // namespace fiberscope::lab03
