// Files that were cut short, and files in another layout than the recorder's.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "testing/catch.h"
#include "testing/sanitized.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

/// Where each event line of `text` that this version knows ends, behind its brace.
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

}  // namespace

TEST_CASE("a file cut at any byte yields every whole event, and says what is missing") {
    cut_everywhere(file_text(data("good/all_kinds.json")));
    cut_everywhere(scheduler_trace({.seed = 3, .events = 60, .coroutines = 3}));
}

TEST_CASE("a cut file's events are those of the whole file") {
    const std::string text = scheduler_trace({.seed = 3, .events = 500, .coroutines = 10});
    const auto whole = dump(read_text(text));
    for (std::size_t bytes = 200; bytes < text.size(); bytes += 997) {
        const auto part = dump(read_text(text.substr(0, bytes)));
        REQUIRE(part.size() <= whole.size());
        CHECK(std::equal(part.begin(), part.end(), whole.begin()));
    }
}

TEST_CASE("words say what is missing") {
    const std::string text =
        events_document({R"("t":0,"m":0,"ev":"note","text":"a")", R"("t":1,"m":0,"ev":"note","text":"b")"});
    const auto missing = [&](const std::string& up_to) {
        return read_text(text.substr(0, text.find(up_to) + up_to.size())).missing;
    };
    CHECK(missing("\"fibersc").find("cut short in the name of a field") != std::string::npos);
    CHECK(missing("\"a\"").find("in the event at line 4: 0 whole events") != std::string::npos);
    CHECK(missing("\"a\"},").find("1 whole events") != std::string::npos);
    CHECK(missing("\"b\"}").find("2 whole events") != std::string::npos);
    CHECK(missing("\"end\":{\"ev").find("cut short in \"end\"") != std::string::npos);
    CHECK(missing("\"dropped\":0}") == "the file was cut short before its last brace");
    CHECK(read_text("{\"fiberscope\":1,\"events\":[]}").missing.find("before its \"end\"") != std::string::npos);
}

TEST_CASE("a file that was cut and then written on is malformed where it was cut") {
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

TEST_CASE("the fields of the document and of an event may stand in any order") {
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

TEST_CASE("a pretty-printed file cut at any byte opens too") {
    const std::string text = nlohmann::ordered_json::parse(events_document({R"("t":0,"m":0,"ev":"note","text":"a")",
                                                                            R"("t":1,"m":0,"ev":"note","text":"b")"}))
                                 .dump(2);
    std::size_t last = 0;
    for (std::size_t bytes = 1; bytes < text.size(); ++bytes) {
        const Trace trace = read_text(text.substr(0, bytes));
        CHECK(trace.size() >= last);
        CHECK_FALSE(trace.missing.empty());
        last = trace.size();
    }
    CHECK(last == 2);
}
