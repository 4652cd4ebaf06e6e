// The names of all fields of the table of events, by index.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "traces/schema/events.h"

namespace fiberscope::trace {

namespace detail {
struct FieldNames {
    std::array<std::string_view, event_table::kRows.size() + 3> names;
    std::size_t count = 0;

    constexpr std::size_t find(std::string_view name) const {
        std::size_t i = 0;
        while (i < count && names[i] != name) ++i;
        return i;
    }
    constexpr void add(std::string_view name) {
        if (find(name) == count) names[count++] = name;
    }
};
constexpr FieldNames field_names() {
    FieldNames fields;
    for (const std::string_view name : {"t", "m", "ev"}) fields.add(name);
    for (const EventRow& row : event_table::kRows)
        if (row.type != FieldType::heading) fields.add(row.name);
    return fields;
}
inline constexpr FieldNames kFieldNames = field_names();
}  // namespace detail

/// The number of distinct field names.
inline constexpr std::size_t kFields = detail::kFieldNames.count;
/// The name with index 0 to kFields - 1.
enum class Field : std::uint8_t {};
inline constexpr Field kUnknownField{kFields};

constexpr std::string_view name_of(Field field) noexcept {
    return detail::kFieldNames.names[static_cast<std::size_t>(field)];
}
/// The index of a known field name, as in `field("co")`. Any other name does not compile.
consteval Field field(std::string_view name) {
    const std::size_t found = detail::kFieldNames.find(name);
    if (found == kFields) throw "the table of events has no field of this name";
    return static_cast<Field>(found);
}

/// The index of that name, or kUnknownField.
Field field_of(std::string_view name) noexcept;

}  // namespace fiberscope::trace
