// A set as a trace knows it: its declaration, who enters and leaves, and where in it one stands.
#pragma once

#include <cstdint>
#include <string_view>

#include "labs/kit/core.h"
#include "traces/recorder.h"

namespace fiberscope::kit {

/// What a trace knows the member of a set by: a coroutine, or a timer (lab 06).
struct Item {
    std::uint32_t id;
    trace::Touch* touch;
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

class RecordedSet {
  public:
    /// The words must outlive it. `key` says what orders the members ("deadline, ns"), if anything does.
    RecordedSet(const char* name, trace::Role role, trace::Structure structure, const char* key = "") noexcept
        : name_(name), key_(key), role_(role), structure_(structure) {}

    /// These record; call them only while trace::recording(). The set is declared when it is first used. `at`: the place,
    /// slot or level, where the structure has such.
    void inserted(Item member, std::string_view key = {}, std::int64_t at = trace::kAbsent) {
        record(trace::Kind::insert, member, key, at);
    }
    void removed(Item member, std::string_view key = {}, std::int64_t at = trace::kAbsent) {
        record(trace::Kind::remove, member, key, at);
    }
    void moved(Item member, std::int64_t at) { record(trace::Kind::move, member, {}, at); }
    /// A wheel's hand points to slot `at`.
    void turned(std::int64_t at);
    std::uint32_t index();

  private:
    void record(trace::Kind kind, Item member, std::string_view key, std::int64_t at);

    const char* name_;
    const char* key_;
    trace::Role role_;
    trace::Structure structure_;
    std::uint32_t index_ = trace::kNone;
    trace::Touch touch_;
};

}  // namespace fiberscope::kit
