#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "testing/catch.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using nlohmann::json;

namespace {

std::string message_of_open(const std::filesystem::path& file) {
    try {
        open(file, meta());
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

/// Limits the size of the files that this process can write.
void limit_files(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// close(), in a child; maps the exception for a full disk to an exit status.
void close_on_full_disk() {
    try {
        close();
    } catch (const std::system_error&) {
        ::_exit(3);
    }
}

/// Of `recorded` notes the file has the first ones, without a gap, and the end has the number of lost ones.
void check_first_are_kept(const Child& child, int recorded) {
    CHECK(WEXITSTATUS(child.status) == 3);
    const json whole = load(child.file);
    const auto kept = static_cast<int>(whole.at("events").size());
    CHECK(kept > 0);
    CHECK(notes_by_machine(whole).at(0) == numbers(kept));
    CHECK(whole.at("end").at("dropped") == recorded - kept);
}

}  // namespace

TEST_CASE("a trace with a limit keeps its beginning, and its end counts the dropped events") {
    constexpr int kNotes = 20'000;
    constexpr std::uint64_t kLimit = 200'000;  // bytes
    const Scratch directory;
    const auto file = directory / "limited.json";
    open(file, meta());
    limit_file(kLimit);
    record_own_notes(kNotes);
    flush();
    record_own_notes(1);  // a short chunk would still have room
    CHECK_NOTHROW(close());
    CHECK(std::filesystem::file_size(file) < kLimit + 100);
    const json whole = load(file);
    const auto kept = static_cast<int>(whole.at("events").size());
    CHECK(kept > 1000);
    CHECK(notes_by_machine(whole).at(0) == numbers(kept));
    CHECK(whole.at("end").at("dropped") == kNotes + 1 - kept);

    open(file, meta());
    record_own_notes(kNotes);
    close();
    CHECK(load(file).at("events").size() == kNotes);
}

TEST_CASE("nothing is recorded before open and after close") {
    const Scratch directory;
    CHECK_FALSE(recording());
    CHECK_NOTHROW(close());
    CHECK_NOTHROW(flush());
    CHECK(declare_set(0, "s", Role::ready, Structure::queue) == kNone);
    CHECK_THROWS_AS(attach_machine(), std::logic_error);
    open(directory / "t.json", meta());
    CHECK(recording());
    CHECK(file() == directory / "t.json");
    record(1, note_event(), "one");
    close();
    CHECK_FALSE(recording());
    CHECK(file() == directory / "t.json");
    CHECK_NOTHROW(close());
    CHECK(load(directory / "t.json").at("end").at("events") == 1);
}

TEST_CASE("open makes the directory, empties the file, and can be called again after close") {
    const Scratch directory;
    const auto file = directory / "a" / "b" / "t.json";
    for (int round = 0; round < 3; ++round) {
        open(file, meta());
        for (int i = 0; i < 10 - round; ++i) record(static_cast<std::uint64_t>(i), note_event(), "x");
        close();
        const json whole = load(file);
        CHECK(whole.at("events").size() == static_cast<std::size_t>(10 - round));
        CHECK(whole.at("events").at(0).at("t") == 0);
        CHECK(whole.at("events").at(0).at("m") == 0);
    }
}

TEST_CASE("a file that cannot be written is an error that names it") {
    const Scratch directory;
    std::ofstream(directory / "plain") << "x";
    const auto below_a_file = directory / "plain" / "t.json";
    CHECK_THROWS_AS(open(below_a_file, meta()), std::system_error);
    CHECK(message_of_open(below_a_file).find(below_a_file.string()) != std::string::npos);
    CHECK_THROWS_AS(open(directory / "", meta()), std::system_error);
    CHECK_THROWS_AS(open("/dev/full", meta()), std::system_error);
    CHECK_FALSE(recording());
    open(directory / "t.json", meta());
    close();
}

TEST_CASE("a second open is an error that names the open trace, which continues") {
    const Scratch directory;
    open(directory / "first.json", meta());
    CHECK_THROWS_AS(open(directory / "second.json", meta()), std::logic_error);
    CHECK(message_of_open(directory / "second.json").find("first.json") != std::string::npos);
    record(1, note_event(), "still");
    close();
    CHECK(load(directory / "first.json").at("events").size() == 1);
    CHECK_FALSE(std::filesystem::exists(directory / "second.json"));
}

TEST_CASE("four threads record at once, each a machine of its own") {
    const json whole = recorded([&] {
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) threads.emplace_back(record_own_notes, 20'000);
        record_own_notes(20'000);
        for (std::thread& thread : threads) thread.join();
    });
    const auto notes = notes_by_machine(whole);
    REQUIRE(notes.size() == 5);
    for (const auto& [machine, found] : notes) {
        INFO("machine " << machine);
        CHECK(found == numbers(20'000));
    }
    CHECK(whole.at("end") == json{{"events", 100'000}, {"dropped", 0}});
}

TEST_CASE("threads keep their index, and get new ones in the next trace") {
    std::vector<int> indices;
    for (int round = 0; round < 2; ++round)
        recorded([&] {
            indices.push_back(attach_machine());
            std::thread([&] { indices.push_back(attach_machine()), indices.push_back(attach_machine()); }).join();
            indices.push_back(attach_machine());
        });
    CHECK(indices == std::vector<int>{0, 1, 1, 0, 0, 1, 1, 0});
}

TEST_CASE("flush puts the events into the file before the trace ends") {
    const Scratch directory;
    open(directory / "t.json", meta());
    record(1, note_event(), "one");
    CHECK(event_lines(file_text(directory / "t.json")).empty());
    flush();
    CHECK(event_lines(file_text(directory / "t.json")).size() == 1);
    flush();
    record(2, note_event(), "two");
    close();
    CHECK(load(directory / "t.json").at("events").size() == 2);
}

TEST_CASE("recording preserves errno") {
    int after = 0;
    recorded([&] {
        errno = 4242;
        for (int i = 0; i < 10'000; ++i) record(1, note_event(), "x");
        after = errno;
    });
    CHECK(after == 4242);
}

TEST_CASE("the descriptor of the trace does not collide with the program's") {
    const Scratch directory;
    const int before = ::dup(0);
    ::close(before);
    open(directory / "t.json", meta());
    const int during = ::dup(0);
    ::close(during);
    close();
    CHECK(during == before);
}

TEST_CASE("a full disk drops events, is reported, and leaves a valid file") {
    const Child child([&] {
        limit_files(200'000);
        record_own_notes(20'000);
        try {
            close();
        } catch (const std::system_error& error) {
            const bool named = std::string(error.what()).find("t.json") != std::string::npos;
            ::_exit(error.code().value() == EFBIG && named ? 3 : 4);
        }
    });
    REQUIRE(WIFEXITED(child.status));
    CHECK(WEXITSTATUS(child.status) == 3);
    const json whole = load(child.file);
    const std::uint64_t kept = whole.at("end").at("events");
    CHECK(kept == whole.at("events").size());
    CHECK(kept > 0);
    CHECK(kept + whole.at("end").at("dropped").get<std::uint64_t>() == 20'000);
}

TEST_CASE("after a failed write only the end is written, even if there is room again") {
    const Child child([] {
        limit_files(100'000);
        record_own_notes(20'000);
        limit_files(10'000'000);
        record_own_notes(20'000);
        close_on_full_disk();
    });
    check_first_are_kept(child, 40'000);
}

TEST_CASE("an older recording is kept if the new one cannot be written") {
    const Scratch directory;
    open(directory / "t.json", meta());
    record_own_notes(100);
    close();
    const std::string old = file_text(directory / "t.json");
    const int status = in_child([&] {
        limit_files(old.size() + 10);
        ::_exit(message_of_open(directory / "t.json").find("t.json") != std::string::npos ? 3 : 4);
    });
    CHECK(WEXITSTATUS(status) == 3);
    CHECK(file_text(directory / "t.json") == old);
}

TEST_CASE("a second recorder of one file is refused, and the first one continues") {
    const Scratch directory;
    open(directory / "t.json", meta());
    record(1, note_event(), "one");
    flush();
    const int status = in_child([&] {
        const std::string why = message_of_open(directory / "t.json");
        ::_exit(why.find("another program is recording into the trace file") != std::string::npos ? 3 : 4);
    });
    CHECK(WEXITSTATUS(status) == 3);
    record(2, note_event(), "two");
    close();
    CHECK(load(directory / "t.json").at("events").size() == 2);
    CHECK(message_of_open(directory / "t.json").empty());  // free again
    close();
}

TEST_CASE("a background writer loses nothing and keeps the order of each machine") {
    const Scratch directory;
    constexpr int kEach = 60'000, kThreads = 3;
    for (const char* file : {"a.json", "b.json"}) {  // the second one reuses the buffers and the writer of the first
        open(directory / file, meta());
        write_in_background();
        std::vector<std::thread> threads;
        for (int i = 1; i < kThreads; ++i) threads.emplace_back([] { record_own_notes(kEach); });
        record_own_notes(kEach / 2);
        flush();
        record_own_notes(0);
        for (std::thread& thread : threads) thread.join();
        close();
        const json whole = load(directory / file);
        CHECK(whole.at("end").at("dropped") == 0);
        const auto notes = notes_by_machine(whole);
        REQUIRE(notes.size() == kThreads);
        for (const auto& [machine, found] : notes) CHECK(found == numbers(machine == 0 ? kEach / 2 : kEach));
    }
}

TEST_CASE("a full disk ends a recording with a background writer in the same way") {
    const Child child([&] {
        limit_files(300'000);
        write_in_background();
        record_own_notes(40'000);
        close_on_full_disk();
    });
    check_first_are_kept(child, 40'000);
}
