// Choice points: before an action that other machines may observe, an explorer may let another machine run. The kit
// defines the interface; extras/explore implements the search. Without an explorer a choice point is one test of a
// pointer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fiberscope::kit {

/// The next action of a machine at a choice point.
enum class Act : std::uint8_t {
    begin,    ///< its first step
    resume,   ///< run a task
    yielded,  ///< insert the task that has just yielded or ended
    work,     ///< continue after time has passed
    retry,    ///< retry something that failed
    enter,    ///< run a coroutine that is not a task
    lock,
    unlock,
    park,
    unpark,  ///< another machine
    load,
    store,
    change,  ///< read and write an atomic in one step
    fence,
    end  ///< end
};

struct ChoicePoint {
    unsigned machine;                       ///< the machine at this point
    Act act;                                ///< its next action
    const void* object;                     ///< the lock, the atomic, the coroutine (a Core); null: none
    std::span<const std::uint8_t> options;  ///< the machines that can continue; the first is the default
    std::size_t free;                       ///< how many of the first options are not preemptions
    bool stays;                             ///< the machine itself can continue
};

/// A store that other machines see later. `apply` makes it visible to all.
struct LateStore {
    void* atomic;
    std::uint64_t bits;
    void (*apply)(void* atomic, std::uint64_t bits);
};

/// Decides at each choice point. Called by one machine at a time.
class Explorer {
  public:
    virtual ~Explorer() = default;

    /// Returns the index of the option to continue with.
    virtual unsigned choose(const ChoicePoint& point) = 0;
    /// Reports that this schedule has a fault, described by the sentence `what`. Ends the process.
    [[noreturn]] virtual void fail(const std::string& what) = 0;

    virtual void took(const void* lock, unsigned machine) = 0;
    virtual void released(const void* lock, unsigned machine) = 0;
    virtual bool holds(const void* lock, unsigned machine) const = 0;

    /// Returns whether to keep a store of `machine` in its store buffer; the explorer then applies it later.
    virtual bool keeps(const LateStore& store, unsigned machine) = 0;
    /// Returns the value that `machine` itself reads there because of its own buffered store; null if there is none.
    virtual const std::uint64_t* own_store(const void* atomic, unsigned machine) const = 0;
    /// Makes all stores of `machine` visible.
    virtual void drain(unsigned machine) = 0;

    /// Sets the name of a lock or an atomic in reports.
    virtual void name(const void* object, std::string_view name) = 0;
};

namespace detail {
extern Explorer* explorer;
/// Whether locks take turns: an explorer decides, or locks cost virtual time (lock_cost.h).
extern bool locks_by_turns;
}  // namespace detail
/// The explorer of this process, or null.
inline Explorer* explorer() noexcept { return detail::explorer; }
/// Sets the explorer; null ends the exploration. Called before any machine begins.
void set_explorer(Explorer* explorer) noexcept;

namespace detail {
void come_to(Act act, const void* object);
}
/// A choice point of the machine of this thread; a no-op elsewhere and without an explorer.
inline void choice(Act act, const void* object = nullptr) {
    if (explorer() != nullptr) [[unlikely]]
        detail::come_to(act, object);
}
namespace detail {
void name_object(const void* object, std::string_view name);
}
/// Whether names of locks and atomics are recorded.
inline bool names_objects() noexcept { return detail::locks_by_turns; }
/// Names a lock or an atomic of the explored code for reports, or a lock that costs time for traces.
inline void name_object(const void* object, std::string_view name) {
    if (names_objects()) [[unlikely]]
        detail::name_object(object, name);
}
/// The explored machine of this thread, or -1.
int explored_machine() noexcept;

}  // namespace fiberscope::kit
