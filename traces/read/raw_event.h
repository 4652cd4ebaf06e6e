// One event as parsed from its JSON object, before its fields are checked against its kind: names and types only.
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
    std::uint64_t present = 0;  ///< bit i: fields[i] is present
    std::array<RawField, kFields> fields;
    Pairs saved, loaded;  ///< registers, in file order

    bool has(Field field) const noexcept { return (present >> static_cast<unsigned>(field) & 1U) != 0; }
    const RawField& operator[](Field field) const noexcept { return fields[static_cast<std::size_t>(field)]; }
};

/// The result of parse_raw.
struct RawResult {
    bool ok = false;
    std::size_t error_at = 0;  ///< offset in `text` of the JSON error
    bool at_end = false;       ///< the error is only that the text ends there
    std::string error;         ///< what was expected
};

/// Parses the text of one JSON object into `event` (which is cleared first, and reused to avoid allocations for most
/// events). Registers whose values are not strings, or more than kMostRawRegisters of them, are an error.
RawResult parse_raw(std::string_view text, RawEvent& event);
inline constexpr std::size_t kMostRawRegisters = 64;

/// A fast path for most lines of most traces: an object of plain strings, integers and null, without white space.
/// Returns false for any other text, valid or not, which is then left to parse_raw; when it returns true, `event` is
/// the same as parse_raw's.
bool parse_flat(std::string_view text, RawEvent& event);

}  // namespace fiberscope::trace
