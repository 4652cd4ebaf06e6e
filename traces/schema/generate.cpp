#include "traces/schema/generate.h"

#include <stdexcept>

#include "traces/schema/schema.h"

namespace fiberscope::trace {
namespace {

std::string list(std::span<const std::string_view> words, std::string_view quote, std::string_view between) {
    std::string text;
    for (const std::string_view word : words) {
        if (word.empty()) continue;
        text += text.empty() ? "" : between;
        text.append(quote).append(word).append(quote);
    }
    return text;
}

// ---- JSON Schema ----------------------------------------------------------------------------------------------------

std::string integer_schema(std::string_view limits, bool null) {
    return std::string("{\"type\": ") + (null ? R"(["integer", "null"])" : "\"integer\"") + std::string(limits) + "}";
}

std::string text_schema(bool null) { return null ? R"({"type": ["string", "null"]})" : R"({"type": "string"})"; }

/// A field that may be left out may also be null.
std::string schema_of(const EventRow& row) {
    const bool null = !row.required;
    switch (row.type) {
    case FieldType::heading: break;
    case FieldType::coroutine_or_null:
    case FieldType::node_or_null: return integer_schema(R"(, "minimum": 0, "maximum": 4294967294)", true);
    case FieldType::coroutine:
    case FieldType::timer:
    case FieldType::node:
    case FieldType::shared_stack:
    case FieldType::count: return integer_schema(R"(, "minimum": 0, "maximum": 4294967294)", null);
    case FieldType::machine: return integer_schema(R"(, "minimum": 0, "maximum": 65535)", null);
    case FieldType::descriptor: return integer_schema(R"(, "minimum": -1, "maximum": 4294967294)", null);
    case FieldType::integer: return integer_schema("", null);
    case FieldType::set:
    case FieldType::text: return text_schema(null);
    case FieldType::word: return "{\"enum\": [" + list(row.words, "\"", ", ") + (null ? ", null]}" : "]}");
    case FieldType::registers: return R"({"anyOf": [{"$ref": "#/definitions/registers"}, {"type": "null"}]})";
    }
    return "{}";
}

std::string required_of(Kind kind) {
    std::string names;
    for (const EventRow& row : fields_of(kind))
        if (row.required) names += (names.empty() ? "\"" : ", \"") + std::string(row.name) + "\"";
    return "      \"required\": [" + names + "],\n";
}

std::string properties_of(Kind kind) {
    std::string text;
    for (const EventRow& row : fields_of(kind))
        text += (text.empty() ? "        \"" : ",\n        \"") + std::string(row.name) + "\": " + schema_of(row);
    return "      \"properties\": {\n" + text + "\n      }";
}

std::string definition_of(Kind kind) {
    const auto& [one, other] = heading_of(kind).either;
    const std::string either = one.empty() ? ""
                                           : ",\n      \"oneOf\": [{\"required\": [\"" + std::string(one) +
                                                 "\"]}, {\"required\": [\"" + std::string(other) + "\"]}]";
    return "    \"" + std::string(word(kind)) + "\": {\n" + required_of(kind) + properties_of(kind) + either +
           "\n    }";
}

std::string reference_to(Kind kind) {
    const std::string name(word(kind));
    return R"(        {"if": {"properties": {"ev": {"const": ")" + name + R"("}}}, "then": {"$ref": "#/definitions/)" +
           name + "\"}}";
}

template <class F>
std::string for_each_kind(F&& text_of) {
    std::string text;
    for (std::size_t kind = 0; kind < kKinds; ++kind)
        text += (kind == 0 ? "" : ",\n") + text_of(static_cast<Kind>(kind));
    return text;
}

constexpr std::string_view kHead = R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "A fiberscope trace, version 2",
  "description": "Made by write_schema from traces/schema/events.h. The page is docs/trace-format.md.",
  "$comment": "Unknown kinds of events and unknown fields are allowed; a file without \"end\" was cut short.",
  "type": "object",
  "required": ["fiberscope", "events"],
  "properties": {
    "fiberscope": {"enum": [1, 2]},
    "meta": {
      "type": "object",
      "properties": {
        "lab": {"type": "string"},
        "program": {"type": "string"},
        "strategy": {"type": "string"},
        "clock": {"type": "string"},
        "arch": {"type": "string"},
        "files": {"type": "string"},
        "workload": {"type": "string"},
        "seed": {"type": ["integer", "string"]},
        "rule": {"type": "string"},
        "code": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["of", "step", "handout", "file"],
            "properties": {
              "of": {"type": "string"},
              "in": {"type": "string"},
              "step": {"type": "string"},
              "handout": {"type": "string"},
              "file": {"type": "string"},
              "function": {"type": "string"},
              "line": {"type": "string"}
            }
          }
        },
        "names": {
          "type": "object",
)";
constexpr std::string_view kDocument = R"(
        }
      }
    },
    "events": {"type": "array", "items": {"$ref": "#/definitions/event"}},
    "end": {
      "type": "object",
      "required": ["events", "dropped"],
      "properties": {"events": {"type": "integer", "minimum": 0}, "dropped": {"type": "integer", "minimum": 0}}
    }
  },
  "definitions": {
    "event": {
      "type": "object",
      "required": ["t", "m", "ev"],
      "properties": {
        "t": {"type": "integer", "minimum": 0},
        "m": {"type": "integer", "minimum": 0, "maximum": 65535},
        "ev": {"type": "string"}
      },
      "allOf": [
)";
constexpr std::string_view kRegisters = R"(
      ]
    },
    "registers": {"type": "object", "maxProperties": 64, "additionalProperties": {"type": "string"}},
)";

// ---- table of docs/trace-format.md ----------------------------------------------------------------------------------

std::string type_in_words(const EventRow& row) {
    switch (row.type) {
    case FieldType::heading: return "";
    case FieldType::coroutine: return "coroutine";
    case FieldType::coroutine_or_null: return "coroutine or null";
    case FieldType::timer: return "timer";
    case FieldType::node: return "node";
    case FieldType::node_or_null: return "node or null";
    case FieldType::shared_stack: return "shared stack";
    case FieldType::machine: return "machine";
    case FieldType::descriptor: return "descriptor";
    case FieldType::count: return "integer from 0";
    case FieldType::integer: return "integer";
    case FieldType::text: return "text";
    case FieldType::set: return "set";
    case FieldType::word: return list(row.words, "`", " ");
    case FieldType::registers: return "registers";
    }
    return "";
}

std::string table_row(const EventRow& row) {
    if (row.type == FieldType::heading)
        return "| **`" + std::string(row.name) + "`** | | " + std::string(row.meaning) + " |\n";
    return "| `" + std::string(row.name) + "`" + (row.required ? "" : "?") + " | " + type_in_words(row) + " | " +
           std::string(row.meaning) + " |\n";
}

}  // namespace

std::string json_schema() {
    const std::string states =
        "          \"additionalProperties\": {\"enum\": [" + list(kWords<State>, "\"", ", ") + "]}";
    return std::string(kHead) + states + std::string(kDocument) + for_each_kind(reference_to) +
           std::string(kRegisters) + for_each_kind(definition_of) + "\n  }\n}\n";
}

std::string with_table_of_events(std::string_view page) {
    const std::size_t begin = page.find(kTableBegins), end = page.find(kTableEnds);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
        throw std::runtime_error("the marks of the table of events are not there");
    std::string table = "\n| event, field | type | meaning |\n|---|---|---|\n";
    for (const EventRow& row : event_table::kRows) table += table_row(row);
    return std::string(page.substr(0, begin + kTableBegins.size())) + table + "\n" + std::string(page.substr(end));
}

}  // namespace fiberscope::trace
