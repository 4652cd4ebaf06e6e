// Shared by the recorder's tests: a trace read back as JSON, and a child process that may crash.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "traces/record/recorder.h"
#include "traces/tests/made/files.h"

namespace fiberscope::trace::testing {

/// The whole document; throws if it is not valid JSON in UTF-8.
nlohmann::json load(const std::filesystem::path& file);
/// The numbers of the notes of each machine, in the file's order.
std::map<int, std::vector<int>> notes_by_machine(const nlohmann::json& whole);

inline Meta meta() {
    Meta m;
    m.lab = "01_switch_asm";
    m.program = "test";
    return m;
}

/// Records `count` notes whose text is the machine's index and a serial number.
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

/// The trace recorded by `body`.
template <class Body>
nlohmann::json recorded(Body body, const Meta& head = meta()) {
    const Scratch scratch;
    open(scratch / "t.json", head);
    body();
    close();
    return load(scratch / "t.json");
}

/// Its events.
template <class Body>
nlohmann::json recorded_events(Body body) {
    return recorded(body).at("events");
}

/// Runs `body` in a child process and returns its wait status. A body that returns ends the child by `_exit(0)`.
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

/// The wait status and the file of a child process that opened a trace and then ran `body`.
struct Child {
    template <class Body>
    explicit Child(Body body)
        : status(in_child([&] {
              open(file, meta());
              body();
          })) {}

    const Scratch scratch;
    const std::filesystem::path file = scratch / "t.json";
    const int status;
};

}  // namespace fiberscope::trace::testing
