// A trace survives the process that wrote it, however the process ends.
#include <atomic>
#include <csignal>
#include <thread>

#include "testing/catch.h"
#include "testing/sanitized.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using nlohmann::json;

namespace {

/// A fault handler: writes the trace, then lets the signal kill the process.
void handle(int signal) {
    write_from_signal(5, signal == SIGSEGV ? "signal SEGV" : "a signal");
    std::signal(signal, SIG_DFL);
    ::raise(signal);
}

void install(int signal) {
    struct sigaction action {};
    action.sa_handler = handle;
    ::sigaction(signal, &action, nullptr);
}

void record_notes(int count) {
    for (int i = 0; i < count; ++i) record(static_cast<std::uint64_t>(i), note_event(), std::to_string(i));
}

/// Whether each machine's notes are 0, 1, 2 … without a gap; ignores other kinds.
bool without_gaps(const json& events) {
    std::map<int, int> next;
    for (const json& e : events)
        if (e.at("ev") == "note" && e.at("text") != std::to_string(next[e.at("m")]++)) return false;
    return true;
}

/// The events of a file that may have been cut.
json whole_lines(const std::filesystem::path& file) {
    json events = json::array();
    for (const std::string& line : event_lines(file_text(file)))
        if (json::accept(line)) events.push_back(json::parse(line));
    return events;
}

/// The trace of a child that a signal killed, with the fault and an end.
json left_by_signal(const Child& child) {
    REQUIRE(WIFSIGNALED(child.status));
    const json whole = load(child.file);
    CHECK(whole.at("end").at("events") == whole.at("events").size());
    CHECK(whole.at("events").back().at("ev") == "fault");
    return whole;
}

void check_fault_is_last(const json& whole, std::size_t events) {
    REQUIRE(whole.at("events").size() == events);
    CHECK(whole.at("end") == json{{"events", events}, {"dropped", 0}});
    CHECK(whole.at("events").back().at("ev") == "fault");
    CHECK(whole.at("events").back().at("co") == 5);
    CHECK(without_gaps(whole.at("events")));
    for (const json& e : whole.at("events")) CHECK(e.at("t") <= whole.at("events").back().at("t"));
}

}  // namespace

TEST_CASE("a fatal signal writes all events, the fault last, and the end") {
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTERM}) {
        INFO("signal " << signal);
        const Child child([&] {
            install(signal);
            record_notes(5'000);
            ::raise(signal);
        });
        check_fault_is_last(left_by_signal(child), 5'001);
        CHECK(WTERMSIG(child.status) == signal);
    }
}

TEST_CASE("a fatal signal is the last event also of a thread whose writer has its first buffer") {
    INFO("the thread fills two buffers in turns: the signal is later than the events of both");
    for (const int count : {1'000, 3'000, 5'000, 7'000}) {
        CAPTURE(count);
        const Child child([&] {
            install(SIGSEGV);
            write_in_background();
            record_notes(count);
            ::raise(SIGSEGV);
        });
        check_fault_is_last(left_by_signal(child), static_cast<std::size_t>(count) + 1);
    }
}

TEST_CASE("a fatal signal in one thread writes the events of all, while they continue") {
    for (int round = 0; round < fiberscope::testing::rounds(3); ++round) {
        const Child child([&] {
            install(SIGABRT);
            std::atomic<int> ready{0};
            std::vector<std::thread> threads;
            for (int i = 0; i < 3; ++i)
                threads.emplace_back([&] {
                    for (int n = 0;; ++n) {
                        if (n == 10'000) ++ready;
                        if (recording()) record(static_cast<std::uint64_t>(n), note_event(), std::to_string(n));
                    }
                });
            while (ready < 3) record_notes(0);
            std::thread([] { ::raise(SIGABRT); }).join();
        });
        const json whole = left_by_signal(child);
        CHECK(whole.at("events").size() > 30'000);
        CHECK(whole.at("end").at("dropped") == 0);
        CHECK(without_gaps(whole.at("events")));
        CHECK(whole.at("events").back().at("m") == 4);
    }
}

TEST_CASE("a signal at any instant of recording and writing leaves a whole file") {
    for (int round = 0; round < fiberscope::testing::rounds(20); ++round) {
        const Child child([&] {
            install(SIGALRM);
            ::ualarm(static_cast<useconds_t>(300 + 127 * round), 0);
            record_notes(100'000'000);
        });
        const json whole = left_by_signal(child);
        CHECK(without_gaps(whole.at("events")));
    }
}

TEST_CASE("two threads that die at once: the first one's trace is written to its end") {
    for (int round = 0; round < 10; ++round) {
        const Child child([&] {
            install(SIGSEGV);
            install(SIGABRT);
            record_notes(4'000);
            std::thread other([] {
                record_notes(4'000);
                ::raise(SIGSEGV);
            });
            record(0, note_event(), "4000");
            ::raise(SIGABRT);
            other.join();
        });
        left_by_signal(child);
    }
}

TEST_CASE("after write_from_signal nothing is recorded, and a second call does nothing") {
    const Scratch directory;
    open(directory / "t.json", meta());
    record_notes(3);
    write_from_signal(5, "first");
    CHECK_FALSE(recording());
    record(9, note_event(), "in flight");
    write_from_signal(6, "second");
    CHECK_NOTHROW(close());
    check_fault_is_last(load(directory / "t.json"), 4);
    open(directory / "next.json", meta());
    record_notes(2);
    close();
    CHECK(load(directory / "next.json").at("events").size() == 2);
    CHECK_NOTHROW(write_from_signal(5, "without a trace"));
}

TEST_CASE("_exit loses at most the last buffer") {
    const Child child([&] {
        record_notes(30'000);
        ::_exit(3);
    });
    CHECK(WEXITSTATUS(child.status) == 3);
    const json events = whole_lines(child.file);
    CHECK(events.size() > 30'000 - 4'096);
    CHECK(events.size() < 30'000);
    CHECK(without_gaps(events));
}

TEST_CASE("the child of a fork does not record, and may open a trace of its own") {
    const Scratch directory;
    open(directory / "parent.json", meta());
    record_notes(10);
    const int status = in_child([&] {
        if (recording()) ::_exit(1);
        write_from_signal(5, "not the child's trace");
        close();
        open(directory / "child.json", meta());
        record_notes(20);
        close();
    });
    CHECK(status == 0);
    record(10, note_event(), "10");
    close();
    CHECK(load(directory / "parent.json").at("events").size() == 11);
    CHECK(without_gaps(load(directory / "parent.json").at("events")));
    CHECK(load(directory / "child.json").at("events").size() == 20);
}

TEST_CASE("data passed to the writer is in the file, however the program ends") {
    const Scratch directory;
    for (int way = 0; way < 3; ++way) {
        const int status = in_child([&] {
            open(directory / "t.json", meta());
            write_in_background();
            record_own_notes(30'001);
            if (way == 0) std::exit(3);
            if (way == 1) write_from_signal(kNone, "a signal");
            if (way == 2) std::thread(write_from_signal, kNone, "of another thread").join();
            ::_exit(3);
        });
        INFO("way " << way);
        CHECK(WEXITSTATUS(status) == 3);
        json whole = load(directory / "t.json");
        auto& events = whole.at("events").get_ref<json::array_t&>();
        if (way > 0) events.pop_back();  // the fault
        CHECK(notes_by_machine(whole).at(0) == numbers(30'001));
    }
}

TEST_CASE("the child of a fork has no writer, and may have one of its own") {
    const Scratch directory;
    open(directory / "parent.json", meta());
    write_in_background();
    record_own_notes(20'000);
    const int status = in_child([&] {
        open(directory / "child.json", meta());
        write_in_background();
        record_own_notes(20'000);
        close();
    });
    CHECK(WEXITSTATUS(status) == 0);
    close();
    for (const char* file : {"parent.json", "child.json"})
        CHECK(notes_by_machine(load(directory / file)).at(0) == numbers(20'000));
}

TEST_CASE("the child of a fork that records without a writer passes nothing to its parent's writer") {
    const Scratch directory;
    open(directory / "parent.json", meta());
    write_in_background();
    const int status = in_child([&] {
        open(directory / "child.json", meta());
        record_notes(3'000);
        ::_exit(3);
    });
    close();
    CHECK(WEXITSTATUS(status) == 3);
    INFO("a child has no other threads: a full buffer is written by the thread that has filled it");
    const json events = whole_lines(directory / "child.json");
    CHECK(events.size() > 0);
    CHECK(without_gaps(events));
}
