// The fast path must agree with the JSON library.
#include <random>

#include "testing/catch.h"
#include "traces/fuzz/same_event.h"
#include "traces/read/raw_event.h"
#include "traces/schema/generate.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

struct Counts {
    std::size_t taken = 0, all = 0;
};

void compare(const std::string& line, Counts& counts) {
    RawEvent flat, whole;
    ++counts.all;
    if (!parse_flat(line, flat)) return;
    ++counts.taken;
    INFO(line);
    REQUIRE(parse_raw(line, whole).ok);
    REQUIRE(same(flat, whole));
}

}  // namespace

TEST_CASE("the shortcut reads what the JSON library reads, and takes most lines") {
    Counts counts;
    for (const std::string& line : event_lines(random_trace({.seed = 1, .events = 2000}))) compare(line, counts);
    for (const std::string& line : event_lines(mixed_trace({.seed = 1, .events = 2000}))) compare(line, counts);
    CHECK(counts.taken * 2 > counts.all);
}

TEST_CASE("the shortcut takes nothing that the JSON library refuses") {
    std::mt19937 random(3);
    const std::string alphabet = "\"\\{}[]:,-+.eE0123456789 \n\tnulltruex\x80\xff" + std::string(1, '\0');
    Counts counts;
    for (const std::string& line : event_lines(random_trace({.seed = 2, .events = 400}))) {
        for (int i = 0; i < 60; ++i) {
            std::string changed = line;
            for (int j = 0; j <= i % 3; ++j) {
                const std::size_t at = random() % changed.size();
                if (random() % 3 == 0)
                    changed.erase(at, 1 + random() % 3);
                else if (random() % 2 == 0)
                    changed.insert(at, 1, alphabet[random() % alphabet.size()]);
                else
                    changed[at] = alphabet[random() % alphabet.size()];
                if (changed.empty()) changed = "{";
            }
            compare(changed, counts);
        }
    }
    CHECK(counts.taken > 100);
}

TEST_CASE("the shortcut leaves the rest to the JSON library") {
    RawEvent event;
    for (const char* text : {"", "{", "{}", "{\"t\":1", "{\"t\":01}", "{\"t\":-}", "{\"t\":1.5}", "{\"t\":1e3}",
                             "{\"t\":1,}", "{\"t\":1}x", "{\"t\":\"a\\n\"}", "{\"t\":\"\xc3\xa9\"}", "{\"t\":{}}",
                             "{\"t\":nul}", "{\"t\":1234567890123456789}", "{ \"t\":1}"}) {
        INFO(text);
        CHECK_FALSE(parse_flat(text, event));
    }
    CHECK(parse_flat("{\"t\":-12,\"unknown\":null,\"ev\":\"note\"}", event));
    CHECK(event[field("t")].number == -12);
}

// ---- generated files are up to date ------------------------------------------------------------------------------

TEST_CASE("trace.schema.json and the table in docs/trace-format.md are fresh: else run write_schema") {
    const bool schema_is_fresh = file_text(FIBERSCOPE_ROOT "/traces/schema/trace.schema.json") == json_schema();
    CHECK(schema_is_fresh);
    const std::string page = file_text(FIBERSCOPE_ROOT "/docs/trace-format.md");
    const bool page_is_fresh = page == with_table_of_events(page);
    CHECK(page_is_fresh);
}

TEST_CASE("a page without the marks of the table is refused") {
    CHECK_THROWS(with_table_of_events("no table"));
    CHECK_THROWS(with_table_of_events(std::string(kTableEnds) + std::string(kTableBegins)));
}
