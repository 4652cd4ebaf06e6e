// Shared by the tests of reader, replay, words, checker and tool.
#pragma once

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "traces/read/reader.h"
#include "traces/tests/generator.h"
#include "traces/tests/made/files.h"

namespace fiberscope::trace::testing {

/// traces/tests/data, or a file in it.
std::filesystem::path data(const std::string& name = "");
/// The recordings in traces/samples, and one of them by its name, as in "04_mixed".
std::vector<std::filesystem::path> samples();
std::filesystem::path sample(const std::string& name);

inline Trace read_text(const std::string& text) {
    std::istringstream in(text);
    return read(in, "test.json");
}
/// A trace of these events, each one the object's fields without braces.
Trace read_events(const std::vector<std::string>& events);
std::string events_document(const std::vector<std::string>& events);

/// The message of the ReadError that reading `text` throws; empty if it throws none.
std::string read_error(const std::string& text);

/// Every field of every event, with texts and registers in full: equal for equivalent traces.
std::vector<std::string> dump(const Trace& trace);

}  // namespace fiberscope::trace::testing
