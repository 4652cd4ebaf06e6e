// Files that were cut, files with another layout than the recorder's, and files that are read in slices: the result is
// the same as reading at once, and no slice exceeds its limit.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "testing/catch.h"
#include "testing/sanitized.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

/// The end of each event line of `text` with a known kind, after its brace.
std::vector<std::size_t> ends_of_events(const std::string& text) {
    std::vector<std::size_t> ends;
    for (std::size_t at = text.find("\n{\"t\""); at != std::string::npos; at = text.find("\n{\"t\"", at + 1)) {
        std::size_t end = text.find('\n', at + 1);
        while (text[end - 1] != '}') --end;
        if (text.find("\"telepathy\"", at) >= end) ends.push_back(end);
    }
    return ends;
}

void cut_everywhere(const std::string& text) {
    const std::vector<std::size_t> ends = ends_of_events(text);
    const std::size_t last_brace = text.rfind('}');
    for (std::size_t bytes = 1; bytes < text.size(); bytes += fiberscope::testing::kStride) {
        INFO("cut after " << bytes << " of " << text.size() << " bytes");
        const Trace trace = read_text(text.substr(0, bytes));
        const auto whole = std::upper_bound(ends.begin(), ends.end(), bytes) - ends.begin();
        REQUIRE(trace.size() == static_cast<std::size_t>(whole));
        REQUIRE(trace.missing.empty() == (bytes > last_brace));
        REQUIRE(trace.complete == (bytes >= last_brace));
    }
}

/// The result of reading a file: its events and its condition.
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
    files.insert(files.end(), {sample("01_nested"), sample("04_mixed_go")});  // the second one has several machines
    return files;
}

}  // namespace

TEST_CASE("a file cut at any byte yields every whole event, and reports the missing rest") {
    cut_everywhere(file_text(data("good/all_kinds.json")));
    cut_everywhere(scheduler_trace({.seed = 3, .events = 60, .coroutines = 3}));
}

TEST_CASE("a cut file's events are the first events of the whole file") {
    const std::string text = scheduler_trace({.seed = 3, .events = 500, .coroutines = 10});
    const auto whole = dump(read_text(text));
    for (std::size_t bytes = 200; bytes < text.size(); bytes += 997) {
        const auto part = dump(read_text(text.substr(0, bytes)));
        REQUIRE(part.size() <= whole.size());
        CHECK(std::equal(part.begin(), part.end(), whole.begin()));
    }
}

TEST_CASE("a file that was cut and then continued is malformed where it was cut") {
    const std::string error = read_error(
        "{\"fiberscope\":1,\n\"events\":[\n{\"t\":0,\"m\":0,\"ev\":\"no\n{\"t\":1,\"m\":0,\"ev\":\"note\",\"text\":"
        "\"\"}\n]}");
    INFO(error);
    CHECK(error.find("line 3") != std::string::npos);
}

TEST_CASE("the layout of the document does not matter") {
    const std::string text = scheduler_trace({.seed = 5, .events = 800, .coroutines = 10});
    const auto expected = dump(read_text(text));
    const auto ordered = nlohmann::ordered_json::parse(text);
    CHECK(dump(read_text(ordered.dump())) == expected);   // jq -c .
    CHECK(dump(read_text(ordered.dump(2))) == expected);  // jq .
    CHECK(dump(read_text(ordered.dump(1, '\t'))) == expected);
    CHECK(dump(read_text("\xEF\xBB\xBF" + text)) == expected);  // saved by an editor
    std::string crlf;
    for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
    CHECK(dump(read_text(crlf)) == expected);
    const Trace pretty = read_text(ordered.dump(2));
    CHECK(pretty.complete);
    CHECK(pretty.line(0) < pretty.line(1));
}

TEST_CASE("the fields of the document and of an event may be in any order") {
    const std::string text = file_text(data("good/all_kinds.json"));
    const auto sorted = nlohmann::json::parse(text);  // sorts by name: "end" first; jq -S .
    const Trace trace = read_text(sorted.dump(2));
    const auto registers_sorted = [](std::vector<std::string> lines) {
        for (std::string& line : lines) std::sort(line.begin(), line.end());
        return lines;
    };
    CHECK(registers_sorted(dump(trace)) == registers_sorted(dump(read_text(text))));
    CHECK(trace.complete);
    CHECK(trace.missing.empty());
}

TEST_CASE("a file read in slices of any size equals the file read at once") {
    for (const auto& file : some_files()) {
        const Read whole = read_in_slices(file, SIZE_MAX);
        for (const std::size_t items : {1UL, 3UL, 100UL}) {
            INFO(file << " in slices of " << items);
            const Read sliced = read_in_slices(file, items);
            CHECK(sliced.events == whole.events);
            CHECK(sliced.said == whole.said);
            // Reading, merging and building the replay each process all events.
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
