// What the tests of reader, replay, words, checker and tool share.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "traces/read/reader.h"
#include "traces/tests/generator.h"

namespace fiberscope::trace::testing {

/// traces/tests/data, or a file in it.
std::filesystem::path data(const std::string& name = "");
std::string file_text(const std::filesystem::path& file);

inline Trace read_text(const std::string& text) {
    std::istringstream in(text);
    return read(in, "test.json");
}
/// A trace of these events, each one the object's fields without braces.
Trace read_events(std::initializer_list<const char*> events);
std::string events_document(std::initializer_list<const char*> events);

/// The message of the ReadError that reading `text` throws; empty if it throws none.
std::string read_error(const std::string& text);

/// Every field of every event, with texts and registers in full: two traces say the same if these are equal.
std::vector<std::string> dump(const Trace& trace);

/// A directory of its own for one test, removed with it.
class Scratch {
  public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    std::string write(const std::string& name, const std::string& text) const;

  private:
    std::filesystem::path path_;
};

}  // namespace fiberscope::trace::testing
