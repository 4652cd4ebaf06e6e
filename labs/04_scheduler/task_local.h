// Step 4.11: what belongs to one task alone: values under keys (libco's aSpec[1024], co_getspecific and
// co_setspecific), and an environment of its own (libco's pvEnv). A thread_local belongs to the thread, and all tasks
// of the thread share it; in a task that goes on on another thread it changes under its hands.
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

/// What is done with a value when its task ends; may be null: nothing.
using Destroy = void (*)(void* value);

/// As many as pthread_key_create gives (PTHREAD_KEYS_MAX), and libco's aSpec has places.
inline constexpr std::uint32_t kMostKeys = 1024;
/// How often one value may be made anew by the destructors of others, or by its own (as PTHREAD_DESTRUCTOR_ITERATIONS).
inline constexpr std::size_t kMostRounds = 4;

/// Names a value that every task has one of. Made by create_key; a place that was given back is given out again, with
/// another generation.
struct Key {
    std::uint32_t index;
    std::uint32_t generation;
    Destroy destroy;
};

/// The value of one task under one key.
struct Slot {
    void* value = nullptr;         ///< null: none
    Destroy destroy = nullptr;     ///< of the key under which it was set
    std::uint32_t generation = 0;  ///< of that key
    std::uint64_t made = 0;        ///< a value that was set later has the larger number
};

/// The values of one task, or of one thread.
struct Locals {
    std::vector<Slot> slots;  ///< by Key::index; as long as the largest that was used
    std::uint64_t made = 0;   ///< counts what was set
};

// ---- what is given --------------------------------------------------------------------------------------------------

/// The task that runs here, also while it waits for a coroutine that it has resumed itself; null outside of tasks. To
/// be asked anew after every switch.
Task* task_here() noexcept;
/// The values of this thread's own context. Destroyed when the thread ends. To be asked anew after every switch.
Locals& thread_locals();

/// The function of a task, and behind it the end of its values: on the task's own stack, when the function has
/// returned, when it has let an exception escape, and when it is unwound. What runs in the end is a task still.
void live(Task& task);

// ---- what the student writes: values --------------------------------------------------------------------------------

/// 4.11. A key that no other code has. From any thread. Throws std::system_error (EAGAIN) if there are kMostKeys
/// already.
Key create_key(Destroy destroy = nullptr);
/// 4.11. Gives it back. From any thread. Values under it are seen no more; each is destroyed when its task
/// ends, or when another key takes its place in that task. (pthread_key_delete lets them leak.)
void delete_key(const Key& key);

/// 4.11. The values of the task that runs here: the task's, made at first use, or outside of tasks the thread's.
Locals& locals_here();
/// 4.11. The value under `key` of the task that runs here; null if there is none. It belongs to the task: no other may
/// keep it.
void* get_specific(const Key& key);
/// 4.11. Sets it. The one before, under the same key, is the caller's. Throws std::invalid_argument for a key that has
/// been given back.
void set_specific(const Key& key, void* value);
/// 4.11. Destroys all values, one by one: always the one that was set last. Each is gone from its slot before it is
/// destroyed. A destructor may use the older ones and set new ones, which come next. Ends after kMostRounds times as
/// many as there were in the beginning: the rest leak.
void destroy_values(Locals& locals);

/// A T for each task that asks, and one for each thread that asks outside of tasks. Made at first use, destroyed at the
/// end of its task (see destroy_values). A reference to it is good until then, also across switches; not for other
/// tasks.
template <class T>
class TaskLocal {
  public:
    TaskLocal() requires std::default_initializable<T> : TaskLocal([] { return T(); }) {}
    /// `first` makes the T of each task, in that task; it may switch.
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
    /// Null if the task that runs here has none yet.
    T* find() const { return static_cast<T*>(get_specific(key_)); }

  private:
    std::function<T()> first_;
    Key key_;
};

// ---- what the student writes: the environment -----------------------------------------------------------------------

/// 4.11. Declares the names of variables that every task has for itself (as co_set_env_list). Once in a program, before
/// there are tasks; throws std::logic_error at a second time, and std::invalid_argument for a name that is empty or has
/// a '=' in it. The names are copied.
void own_environment(std::span<const char* const> names);
/// 4.11. As getenv. In a task, a declared name is the task's own: null until the task sets it, whatever the process
/// has. All other names, and all outside of tasks, are the process's. Good until the variable is changed, or the task
/// ends.
const char* task_getenv(const char* name);
/// 4.11. As setenv: one that has a value keeps it if `overwrite` is false. Throws std::system_error if the process's
/// cannot be set. The process's environment may not be changed while another thread uses it.
void task_setenv(const char* name, const char* value, bool overwrite = true);
/// 4.11. As unsetenv.
void task_unsetenv(const char* name);

}  // namespace fiberscope::lab04
