// Files that are read while they are recorded: they show only true states, and are distinguished from those of a
// program that crashed.
#include <signal.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "testing/catch.h"
#include "traces/check/checker.h"
#include "traces/read/reader.h"
#include "traces/record/recorder.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

/// One clock for all threads.
std::uint64_t now() {
    static const auto begin = std::chrono::steady_clock::now();
    return static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begin).count());
}

/// The texts of all events, by machine and in order of time as read.
std::vector<std::string> texts_of(const Trace& trace) {
    std::vector<std::string> texts;
    for (std::size_t n = 0; n < trace.size(); ++n)
        texts.emplace_back(std::to_string(trace[n].t) + " " + std::string(trace.text(trace[n].text).bytes()));
    return texts;
}

/// Concurrent recording threads: one without a pause, one occasionally, one only at its beginning.
class Recording {
  public:
    explicit Recording(const std::filesystem::path& file) {
        open(file, meta());
        write_in_background();
        record(now(), note_event(), "first");
        threads_.emplace_back([this] { record_until_ended(std::chrono::microseconds(20)); });
        threads_.emplace_back([this] { record_until_ended(std::chrono::milliseconds(30)); });
        threads_.emplace_back([] { record(now(), note_event(), "once"); });
    }
    ~Recording() { end(); }
    void end() {
        ended_ = true;
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        close();
    }

  private:
    void record_until_ended(std::chrono::nanoseconds pause) {
        for (int i = 0; !ended_; ++i) {
            record(now(), note_event(), std::to_string(i));
            std::this_thread::sleep_for(pause);
        }
    }
    std::vector<std::thread> threads_;
    std::atomic<bool> ended_{false};
};

/// Reads the file repeatedly until `count` readings had new events; returns those readings.
std::vector<std::vector<std::string>> readings_of(const std::filesystem::path& file, std::size_t count) {
    std::vector<std::vector<std::string>> readings;
    while (readings.size() < count) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const Trace trace = read(file);
        if (trace.condition != Condition::live) break;
        if (trace.size() > (readings.empty() ? 0 : readings.back().size())) readings.push_back(texts_of(trace));
    }
    return readings;
}

Condition condition_of(const std::filesystem::path& file) {
    try {
        return read_events_of(file).condition;
    } catch (const ReadError& error) {
        return error.condition();
    }
}

}  // namespace

TEST_CASE("the events read from a live file are a prefix of the whole file's") {
    const Scratch directory;
    Recording recording(directory / "t.json");
    const auto readings = readings_of(directory / "t.json", 4);
    recording.end();
    const Trace whole = read(directory / "t.json");
    CHECK(whole.condition == Condition::whole);
    const std::vector<std::string> all = texts_of(whole);
    REQUIRE(readings.size() == 4);
    for (const auto& reading : readings) {
        REQUIRE(reading.size() <= all.size());
        CHECK(std::equal(reading.begin(), reading.end(), all.begin()));
    }
}

TEST_CASE("a live file waits for its first events, a killed recorder leaves a cut file") {
    const Scratch directory;
    open(directory / "t.json", meta());
    CHECK(condition_of(directory / "t.json") == Condition::live);
    record(1, note_event(), "one");
    flush();
    // No mark guarantees yet that no other machine has earlier events.
    CHECK(condition_of(directory / "t.json") == Condition::live);
    CHECK(read(directory / "t.json").size() == 0);
    close();
    CHECK(condition_of(directory / "t.json") == Condition::whole);
    in_child([&] {
        open(directory / "t.json", meta());
        record(1, note_event(), "one");
        flush();
        ::kill(::getpid(), SIGKILL);
    });
    CHECK(condition_of(directory / "t.json") == Condition::cut);
    CHECK(read(directory / "t.json").size() == 1);
}

TEST_CASE("a mark says how far a file was written; a whole file is shown whole") {
    const Scratch directory;
    Recording recording(directory / "t.json");
    static_cast<void>(readings_of(directory / "t.json", 2));
    recording.end();
    const auto whole = load(directory / "t.json");
    std::size_t marks = 0;
    for (const auto& event : whole.at("events")) marks += event.at("ev") == "reached" ? 1U : 0U;
    CHECK(marks >= 2);
    CHECK(whole.at("end").at("events") == whole.at("events").size());
    CHECK(read(directory / "t.json").size() == whole.at("events").size() - marks);
}
