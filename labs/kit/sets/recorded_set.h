// The recording of a set: its declaration, insertions and removals, and the places of its members.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "languages/message.h"
#include "traces/record/recording.h"
#include "traces/schema/words.h"

namespace fiberscope::trace {
enum class Kind : std::uint8_t;
struct Event;
}  // namespace fiberscope::trace

namespace fiberscope::kit {

class Core;
class Lock;

/// The identity of a set's member in a trace: a coroutine, or a timer (lab 06).
struct Item {
    std::uint32_t id;
    trace::CausalStamp* touch;
    bool is_timer = false;
};
Item item_of(Core& coroutine);
/// A member has item(), or is a coroutine with core().
template <class T>
Item item_of(T& member) {
    if constexpr (requires { member.item(); })
        return member.item();
    else
        return item_of(member.core());
}

/// As a message names it: "'reader'", "timer 7".
Value name_of(const Core& coroutine);
template <class T>
Value name_of(T& member) {
    if constexpr (requires { member.core(); })
        return name_of(std::as_const(member.core()));
    else
        return Value::of(message("timer {0}", member.item().id));
}

class RecordedSet {
  public:
    /// `key` names the key that orders the members ("deadline, ns"), if any; it must outlive this object.
    RecordedSet(std::string name, trace::Role role, trace::Structure structure, const char* key = "")
        : name_(std::move(name)), key_(key), role_(role), structure_(structure) {}

    /// Assigns the set to a machine and names it. Call before the first use.
    void belongs_to(unsigned machine, std::string name) {
        name_ = std::move(name);
        owner_ = machine;
    }
    /// During exploration (machines/choice.h), changing the set without this lock is a fault, unless `lock` is null.
    void guarded_by(const Lock* lock) noexcept { lock_ = lock; }
    void needs_no_lock() noexcept { in_order_ = false; }  ///< call before the first use
    /// Declares a wheel of `count` slots. Call before the first use.
    void has_slots(std::size_t count) noexcept { slots_ = static_cast<std::int64_t>(count); }
    /// Records that a field of a node was written, as a link event of this set.
    void linked(const trace::Event& event);
    /// Record an event; call only while trace::recording(). The first use declares the set. `at` is the place, slot or
    /// level, if the structure has such.
    void inserted(Item member, std::string_view key = {}, std::int64_t at = trace::kAbsent);
    void removed(Item member, std::string_view key = {}, std::int64_t at = trace::kAbsent);
    void moved(Item member, std::int64_t at);
    /// Records that a wheel's hand points to slot `at`.
    void turned(std::int64_t at);
    std::uint32_t index();

    /// Abort with a message, before the set would be corrupted: `member` (name_of) is already in it, or is not.
    [[noreturn, gnu::cold]] void refuse_insert(const Value& member) const;
    [[noreturn, gnu::cold]] void refuse_remove(const Value& member) const;
    [[noreturn, gnu::cold]] void refuse_next(const Value& member) const;

  private:
    void check_lock() const;
    void record(trace::Kind kind, Item member, std::string_view key, std::int64_t at);

    std::string name_;
    const char* key_;
    trace::Role role_;
    trace::Structure structure_;
    std::int64_t owner_ = trace::kAbsent;
    std::int64_t slots_ = trace::kAbsent;
    const Lock* lock_ = nullptr;
    std::uint32_t index_ = trace::kNone;
    bool in_order_ = true;  // otherwise only the events of each member are ordered
    trace::CausalStamp touch_;
};

}  // namespace fiberscope::kit
