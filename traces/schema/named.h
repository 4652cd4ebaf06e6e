// The coroutines, timers and shared stacks that an event names, according to the table of events.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "traces/schema/event.h"

namespace fiberscope::trace {

/// The members of an event of one kind that hold the number of a coroutine, a timer or a shared stack. Excludes the
/// nodes of a tree, whose type depends on the set.
struct Named {
    bool coroutine_in_co = false, coroutine_in_other = false, coroutine_in_y = false;
    bool timer_in_other = false;
    bool stack_in_set = false;
    bool elsewhere = false;  ///< the table puts a number into an unexpected member
};

namespace detail {
constexpr void note_named(Named& named, const EventRow& row) {
    switch (row.type) {
    case FieldType::coroutine:
    case FieldType::coroutine_or_null:
        if (row.place == Place::co) return void(named.coroutine_in_co = true);
        if (row.place == Place::other) return void(named.coroutine_in_other = true);
        if (row.place == Place::y) return void(named.coroutine_in_y = true);
        return void(named.elsewhere = true);
    case FieldType::timer: return void((row.place == Place::other ? named.timer_in_other : named.elsewhere) = true);
    case FieldType::shared_stack: return void((row.place == Place::set ? named.stack_in_set : named.elsewhere) = true);
    default: return;
    }
}
constexpr std::array<Named, kKinds> named_by_kind() {
    std::array<Named, kKinds> all{};
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        for (const EventRow& row : fields_of(static_cast<Kind>(kind))) note_named(all[kind], row);
    return all;
}
inline constexpr auto kNamed = named_by_kind();
static_assert([] {
    for (const Named& named : kNamed)
        if (named.elsewhere) return false;
    return true;
}());
}  // namespace detail

constexpr const Named& named(Kind kind) noexcept { return detail::kNamed[static_cast<std::size_t>(kind)]; }

/// Calls `f(co)` once for each coroutine that the event names; for a `link` only for the node that is written.
template <class F>
void for_each_coroutine(const Event& e, F&& f) {
    const Named& n = named(e.kind);
    const bool node = e.kind == Kind::link && e.e3 == 0;
    if ((n.coroutine_in_co || node) && e.co != kNone) f(e.co);
    if (n.coroutine_in_other && e.other != kNone && e.other != e.co) f(e.other);
    if (!n.coroutine_in_y || e.y == kAbsent) return;
    const auto third = static_cast<std::uint32_t>(e.y);
    if (third != e.co && third != e.other) f(third);
}

}  // namespace fiberscope::trace
