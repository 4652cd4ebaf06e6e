// Step 4.11: task-local data: values under keys (libco's aSpec[1024], co_getspecific and co_setspecific), and
// task-local environment variables (libco's pvEnv). A thread_local variable is shared by all tasks of the thread, and a
// task that continues on another thread sees a different one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "labs/04_scheduler/tasks.h"

namespace fiberscope::lab04 {

/// Destructor of a value, called when its task ends; may be null.
using Destroy = void (*)(void* value);

/// Maximum number of keys, as PTHREAD_KEYS_MAX, and as the size of libco's aSpec.
inline constexpr std::uint32_t kMostKeys = 1024;
/// How often destructors may set a value again (as PTHREAD_DESTRUCTOR_ITERATIONS).
inline constexpr std::size_t kMostRounds = 4;

/// Identifies a value that each task has its own copy of. Created by create_key(); the index of a deleted key is reused
/// with another generation.
struct Key {
    std::uint32_t index;
    std::uint32_t generation;
    Destroy destroy;
};

/// The value of one task under one key.
struct Slot {
    void* value = nullptr;         ///< null: none
    Destroy destroy = nullptr;     ///< destructor of the key under which it was set
    std::uint32_t generation = 0;  ///< generation of that key
    std::uint64_t made = 0;        ///< increases with each value that is set
};

/// The values of one task, or of one thread.
struct Locals {
    std::vector<Slot> slots;  ///< by Key::index; sized for the largest index used
    std::uint64_t made = 0;   ///< number of values set so far
};

// ---- what is given --------------------------------------------------------------------------------------------------

/// Returns the running task, also while it waits for a coroutine that it has resumed itself; null outside of tasks.
/// Call again after every switch.
Task* task_here() noexcept;
/// Returns the values of this thread's own context, destroyed when the thread ends. Call again after every switch.
Locals& thread_locals();

/// Runs the function of a task, then destroys the task's values on its own stack: after a return, an exception, or
/// unwinding. Destructors still run as part of the task.
void live(Task& task);

// ---- what the student writes: values --------------------------------------------------------------------------------

/// 4.11. Creates a unique key. Thread-safe. Throws std::system_error (EAGAIN) if kMostKeys keys already exist.
Key create_key(Destroy destroy = nullptr);
/// 4.11. Deletes a key. Thread-safe. Its values are no longer visible; each is destroyed when its task ends, or when
/// another key reuses its slot in that task. (pthread_key_delete leaks them.)
void delete_key(const Key& key);

/// 4.11. Returns the values of the running task, created at first use; outside of tasks, the thread's.
Locals& locals_here();
/// 4.11. Returns the running task's value under `key`; null if there is none. It belongs to the task; other tasks must
/// not keep it.
void* get_specific(const Key& key);
/// 4.11. Sets the running task's value under `key`. The caller owns the previous value under the same key. Throws
/// std::invalid_argument for a deleted key.
void set_specific(const Key& key, void* value);
/// 4.11. Destroys all values one by one, always the one that was set last. Each is removed from its slot before it is
/// destroyed. A destructor may use the older values and set new ones, which come next. Stops after destroying
/// kMostRounds times the initial number of values; the rest leak.
void destroy_values(Locals& locals);

/// A T per task, and one per thread for use outside of tasks. Created at first use, destroyed at the end of its task
/// (see destroy_values). A reference is valid until then, also across switches, but must not be used by other tasks.
template <class T>
class TaskLocal {
  public:
    TaskLocal() requires std::default_initializable<T> : TaskLocal([] { return T(); }) {}
    /// `first` creates the T of each task, in that task; it may switch.
    explicit TaskLocal(std::function<T()> first)
        : first_(std::move(first)), key_(create_key([](void* value) { delete static_cast<T*>(value); })) {}
    ~TaskLocal() { delete_key(key_); }
    TaskLocal(const TaskLocal&) = delete;
    TaskLocal& operator=(const TaskLocal&) = delete;

    T& get() {
        if (T* there = find()) return *there;
        std::unique_ptr<T> made(new T(first_()));
        set_specific(key_, made.get());
        return *made.release();
    }
    T& operator*() { return get(); }
    T* operator->() { return &get(); }
    /// Null if the running task has none yet.
    T* find() const { return static_cast<T*>(get_specific(key_)); }

  private:
    std::function<T()> first_;
    Key key_;
};

// ---- what the student writes: the environment -----------------------------------------------------------------------

/// 4.11. Declares the names of task-local environment variables (as co_set_env_list). Called once per program, before
/// there are tasks. Throws std::logic_error if called again, and std::invalid_argument for a name that is empty or
/// contains '='. The names are copied.
void own_environment(std::span<const char* const> names);
/// 4.11. As getenv. In a task, a declared name is task-local: null until the task sets it, regardless of the process's
/// environment. All other names, and all names outside of tasks, are the process's. Valid until the variable is changed
/// or the task ends.
const char* task_getenv(const char* name);
/// 4.11. As setenv: does not change an existing value if `overwrite` is false. Throws std::system_error if the
/// process's environment cannot be changed. The process's environment must not be changed while another thread uses it.
void task_setenv(const char* name, const char* value, bool overwrite = true);
/// 4.11. As unsetenv.
void task_unsetenv(const char* name);

}  // namespace fiberscope::lab04
