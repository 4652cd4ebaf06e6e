// A file that is read in slices is the file that is read at once, and no slice does more than it may.
#include "testing/catch.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

/// What became of a file: its events and what is said about it.
struct Read {
    std::vector<std::string> events;
    std::string said;
    std::size_t slices = 0;
};

Read read_in_slices(const std::filesystem::path& file, std::size_t items) {
    Read out;
    Reading reading(file, items);
    try {
        double done = 0;
        for (bool more = true; more; ++out.slices) {
            more = reading.step();
            CHECK(reading.share() >= done);
            done = reading.share();
        }
        CHECK(done == 1);
        const Trace trace = reading.take();
        out.events = dump(trace);
        out.said = trace.missing + trace.file.string();
    } catch (const ReadError& error) {
        out.said = error.what();
    }
    return out;
}

std::vector<std::filesystem::path> some_files() {
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path& folder : {data("good"), data("bad")})
        for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    for (const char* name : {"01_nested.json", "04_mixed_go.json"})  // the second one is of several machines
        files.push_back(std::filesystem::path(FIBERSCOPE_SAMPLES) / name);
    return files;
}

}  // namespace

TEST_CASE("a file that is read in slices of any size is the file that is read at once") {
    for (const auto& file : some_files()) {
        const Read whole = read_in_slices(file, SIZE_MAX);
        for (const std::size_t items : {1UL, 3UL, 100UL}) {
            INFO(file << " in slices of " << items);
            const Read sliced = read_in_slices(file, items);
            CHECK(sliced.events == whole.events);
            CHECK(sliced.said == whole.said);
            // It is read, merged and looked at: each of these goes through all events.
            if (!whole.events.empty()) CHECK(sliced.slices * items >= 3 * whole.events.size());
        }
    }
}

TEST_CASE("a slice of long events ends after some bytes") {
    const Scratch folder;
    std::string lines;
    for (int i = 0; i < 100; ++i)
        lines += "{\"t\":" + std::to_string(i) + R"(,"m":0,"ev":"note","text":")" + std::string(100'000, 'x') + "\"}\n";
    const Read sliced = read_in_slices(folder.write("long.json", document(lines)), SIZE_MAX);
    CHECK(sliced.events.size() == 100);
    CHECK(sliced.slices > 100 * 100'000 / (std::size_t{1} << 19));
}
