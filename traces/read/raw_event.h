// One event as its JSON object says it, before the fields are checked against its kind: names and types only.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/read/field.h"

namespace fiberscope::trace {

enum class RawType : std::uint8_t { null, integer, text, object, other };

struct RawField {
    std::string text;
    std::int64_t number = 0;
    RawType type = RawType::null;
};

struct RawEvent {
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    std::uint64_t present = 0;  ///< bit i: fields[i] is there
    std::array<RawField, kFields> fields;
    Pairs saved, loaded;  ///< registers, in file order

    bool has(Field field) const noexcept { return (present >> static_cast<unsigned>(field) & 1U) != 0; }
    const RawField& operator[](Field field) const noexcept { return fields[static_cast<std::size_t>(field)]; }
};

/// What parse_raw found.
struct RawResult {
    bool ok = false;
    std::size_t error_at = 0;  ///< byte of `text` at which the JSON is wrong
    bool at_end = false;       ///< it is wrong only because the text ends there
    std::string error;         ///< what was expected
};

/// Parses the text of one JSON object into `event` (which is cleared first, and reused so that nothing is allocated for
/// most events). Registers with values that are no strings, or more than kMostRawRegisters of them, are an error.
RawResult parse_raw(std::string_view text, RawEvent& event);
inline constexpr std::size_t kMostRawRegisters = 64;

/// A shortcut for most lines of most traces: an object of plain strings, integers and null, without white space.
/// Answers false for any other text, right or wrong, of which parse_raw then judges; when it answers true, `event` is
/// what parse_raw would have made of it.
bool parse_flat(std::string_view text, RawEvent& event);

}  // namespace fiberscope::trace
