// Choice points: where a machine does something that another machine may notice, an explorer may let another one go on.
// The kit knows the interface; extras/explore searches. Without an explorer a choice point is one test of a pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fiberscope::kit {

/// What a machine is about to do at a choice point.
enum class Act : std::uint8_t {
    begin,    ///< its first step
    resume,   ///< run a task
    yielded,  ///< insert the task that has just yielded or ended
    work,     ///< go on after time has passed
    retry,    ///< try something again that it could not have
    enter,    ///< run a coroutine that is no task
    lock,
    unlock,
    park,
    unpark,  ///< another machine
    load,
    store,
    change,  ///< read and write an atomic in one step
    fence,
    end  ///< it has nothing more to do
};

struct ChoicePoint {
    unsigned machine;                       ///< that comes here
    Act act;                                ///< what it is about to do
    const void* object;                     ///< the lock, the atomic, the coroutine (a Core); null: none
    std::span<const std::uint8_t> options;  ///< the machines that can go on; the first would, if nothing else is chosen
    std::size_t free;                       ///< so many of the options, the first, are no preemption
    bool stays;                             ///< the machine itself can go on
};

/// A store that others see later. `apply` makes it visible to all.
struct LateStore {
    void* atomic;
    std::uint64_t bits;
    void (*apply)(void* atomic, std::uint64_t bits);
};

/// Decides at each choice point. Called by one machine at a time.
class Explorer {
  public:
    virtual ~Explorer() = default;

    /// The index of the option that goes on.
    virtual unsigned choose(const ChoicePoint& point) = 0;
    /// This schedule shows a fault. `what`: one sentence. Ends the process.
    [[noreturn]] virtual void fail(const std::string& what) = 0;

    virtual void took(const void* lock, unsigned machine) = 0;
    virtual void released(const void* lock, unsigned machine) = 0;
    virtual bool holds(const void* lock, unsigned machine) const = 0;

    /// Whether a store of `machine` waits in its store buffer; if so the explorer applies it later.
    virtual bool keeps(const LateStore& store, unsigned machine) = 0;
    /// What `machine` itself would read there, if a store of its own waits; null: what all see.
    virtual const std::uint64_t* own_store(const void* atomic, unsigned machine) const = 0;
    /// All stores of `machine` become visible.
    virtual void drain(unsigned machine) = 0;

    /// What stories call a lock or an atomic.
    virtual void name(const void* object, std::string_view name) = 0;
};

namespace detail {
extern Explorer* explorer;
/// A lock asks whose turn it is: an explorer decides that, or a lock costs virtual time (lock_cost.h).
extern bool locks_by_turns;
}  // namespace detail
/// The explorer of this process; null: none.
inline Explorer* explorer() noexcept { return detail::explorer; }
/// Before any machine begins. Null: no exploration any more.
void set_explorer(Explorer* explorer) noexcept;

namespace detail {
void come_to(Act act, const void* object);
}
/// A choice point of the machine that this thread is; elsewhere, and without an explorer, nothing happens.
inline void choice(Act act, const void* object = nullptr) {
    if (explorer() != nullptr) [[unlikely]]
        detail::come_to(act, object);
}
namespace detail {
void name_object(const void* object, std::string_view name);
}
/// Whether names of locks and atomics are told.
inline bool names_objects() noexcept { return detail::locks_by_turns; }
/// What stories call a lock or an atomic of the code that is explored; and what a trace calls a lock that costs time.
inline void name_object(const void* object, std::string_view name) {
    if (names_objects()) [[unlikely]]
        detail::name_object(object, name);
}
/// The machine that this thread is and that is explored; -1: none.
int explored_machine() noexcept;

}  // namespace fiberscope::kit
