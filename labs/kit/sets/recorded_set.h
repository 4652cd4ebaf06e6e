// A set as a trace knows it: its declaration, what enters and leaves, and where in it a member stands.
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

/// What a trace knows the member of a set by: a coroutine, or a timer (lab 06).
struct Item {
    std::uint32_t id;
    trace::CausalStamp* touch;
    bool is_timer = false;
};
Item item_of(Core& coroutine);
/// A member has item(), or it is a coroutine and has core().
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
    /// The words of `key` must outlive it. It says what orders the members ("deadline, ns"), if anything does.
    RecordedSet(std::string name, trace::Role role, trace::Structure structure, const char* key = "")
        : name_(std::move(name)), key_(key), role_(role), structure_(structure) {}

    /// Before its first use: it is that of one machine, and called so.
    void belongs_to(unsigned machine, std::string name) {
        name_ = std::move(name);
        owner_ = machine;
    }
    /// While it is explored (machines/choice.h), a machine that changes it without this lock is a fault, unless null.
    void guarded_by(const Lock* lock) noexcept { lock_ = lock; }
    void needs_no_lock() noexcept { in_order_ = false; }  ///< before its first use
    /// Before its first use: it is a wheel of so many slots.
    void has_slots(std::size_t count) noexcept { slots_ = static_cast<std::int64_t>(count); }
    /// A field of a node was written: a link event of this set.
    void linked(const trace::Event& event);
    /// These record; call them only while trace::recording(). The set is declared when it is first used. `at`: the
    /// place, slot or level, where the structure has such.
    void inserted(Item member, std::string_view key = {}, std::int64_t at = trace::kAbsent);
    void removed(Item member, std::string_view key = {}, std::int64_t at = trace::kAbsent);
    void moved(Item member, std::int64_t at);
    /// A wheel's hand points to slot `at`.
    void turned(std::int64_t at);
    std::uint32_t index();

    /// End the program with a message, for the set would be damaged: `member` (name_of) is in it already, or is not.
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
    bool in_order_ = true;  // else only the events of one member are
    trace::CausalStamp touch_;
};

}  // namespace fiberscope::kit
