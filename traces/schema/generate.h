// What is written out of the table of events for others to read.
#pragma once

#include <string>
#include <string_view>

namespace fiberscope::trace {

/// The whole of traces/schema/trace.schema.json (JSON Schema, draft-07).
std::string json_schema();

/// docs/trace-format.md with its table of events made anew: what stands between the two marks below. Throws
/// std::runtime_error if the marks are not there.
std::string with_table_of_events(std::string_view page);
inline constexpr std::string_view kTableBegins =
    "<!-- This table is made by `write_schema` from traces/schema/events.h: edit that. -->\n";
inline constexpr std::string_view kTableEnds = "<!-- The end of the table. -->\n";

}  // namespace fiberscope::trace
