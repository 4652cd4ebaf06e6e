// Files generated from the table of events.
#pragma once

#include <string>
#include <string_view>

namespace fiberscope::trace {

/// The content of traces/schema/trace.schema.json (JSON Schema, draft-07).
std::string json_schema();

/// Returns docs/trace-format.md with the table of events between the two marks below replaced. Throws
/// std::runtime_error if the marks are missing.
std::string with_table_of_events(std::string_view page);
inline constexpr std::string_view kTableBegins =
    "<!-- This table is made by `write_schema` from traces/schema/events.h: edit that. -->\n";
inline constexpr std::string_view kTableEnds = "<!-- The end of the table. -->\n";

}  // namespace fiberscope::trace
