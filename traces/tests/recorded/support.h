// What the recorder's tests share: a directory of their own, a trace read back as JSON, and a child that may die.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "traces/record/recorder.h"

namespace fiberscope::trace::testing {

/// A directory that is removed with all that is in it.
class Directory {
  public:
    Directory() {
        std::string name = (std::filesystem::temp_directory_path() / "fiberscope-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
        path_ = name;
    }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    ~Directory() { std::filesystem::remove_all(path_); }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

std::string content(const std::filesystem::path& file);
/// The whole document; throws if it is not valid JSON in UTF-8.
nlohmann::json load(const std::filesystem::path& file);
/// The lines of the events, as they stand in the file, without the comma.
std::vector<std::string> event_lines(const std::filesystem::path& file);
/// The numbers of the notes of each machine, in the file's order.
std::map<int, std::vector<int>> notes_by_machine(const nlohmann::json& whole);

inline Meta meta() {
    Meta m;
    m.lab = "01_switch_asm";
    m.program = "test";
    return m;
}

inline Event event(Kind kind, std::uint32_t co = kNone) {
    Event e;
    e.kind = kind;
    e.co = co;
    return e;
}
template <class E>
std::uint8_t byte(E e) {
    return static_cast<std::uint8_t>(e);
}

/// Records `count` notes whose text is the machine's index and their own number.
inline void record_own_notes(int count) {
    const std::string machine = std::to_string(attach_machine());
    for (int i = 0; i < count; ++i)
        record(static_cast<std::uint64_t>(i), note_event(), machine + " " + std::to_string(i));
}

inline std::vector<int> numbers(int count) {
    std::vector<int> all;
    for (int i = 0; i < count; ++i) all.push_back(i);
    return all;
}

/// Runs `body` in a child process and returns how it ended, as waitpid tells. A body that returns ends the child by
/// `_exit(0)`.
template <class Body>
int in_child(Body body) {
    const pid_t child = ::fork();
    if (child == 0) {
        body();
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

}  // namespace fiberscope::trace::testing
