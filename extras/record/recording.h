// The recording of this process: begun by its first coroutine, ended with the process.
#pragma once

#include <pthread.h>

#include "extras/record/coroutines.h"

namespace fiberscope::preload {

/// While one exists, what the calling thread calls is not recorded: it is this library's own work. Keeps errno.
class OwnWork {
  public:
    OwnWork() noexcept;
    ~OwnWork();
    OwnWork(const OwnWork&) = delete;
    OwnWork& operator=(const OwnWork&) = delete;
    /// Whether the thread was in such work already.
    bool is_nested() const noexcept { return is_nested_; }

  private:
    bool is_nested_;
    int error_;
};

/// While one exists, cancellation of the calling thread is deferred: of work that calls a cancellation point.
class Uncancelled {
  public:
    Uncancelled() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~Uncancelled() { pthread_setcancelstate(before_, nullptr); }
    Uncancelled(const Uncancelled&) = delete;
    Uncancelled& operator=(const Uncancelled&) = delete;

  private:
    int before_ = 0;
};

/// How a switch leaves a coroutine: it can return, it has ended, or it left by setcontext, which saves nothing.
enum class Left { saved, ended, unsaved };

/// The following must be called within OwnWork, except where stated.

/// Begins the recording unless it has begun. Returns false if there is none: it cannot be written, or the process ends.
bool begin() noexcept;

/// Registers a new coroutine. Its name gets a number if another one has it.
void created(Coroutine& coroutine, const Coroutine& parent, const std::string& name);

/// Returns the running coroutine or thread. If the stack pointer `sp` is not on its stack, an unknown switch has taken
/// place, which is recorded now.
Coroutine& running(std::uintptr_t sp);

/// Records a switch from the running coroutine to `to`; null: to the thread's own context.
void switched(Coroutine& from, Coroutine* to, Left how);

/// Makes the calling thread one of the program, with the function `entry`. Not within OwnWork.
void thread_began(std::uintptr_t entry) noexcept;

/// Whether park() records the calling thread.
bool can_park() noexcept;
/// The calling thread blocks in `function`, and continues. Not within OwnWork. Keeps errno.
void park(const char* function) noexcept;
void unpark() noexcept;

/// Ends the recording if it is this process's. Async-signal-safe. Not within OwnWork.
void end_abruptly() noexcept;

}  // namespace fiberscope::preload
