// The files that are made out of the table of events are those in the tree.
#include "testing/catch.h"
#include "traces/schema/generate.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

TEST_CASE("trace.schema.json and the table in docs/trace-format.md are fresh: else run write_schema") {
    const bool schema_is_fresh = file_text(FIBERSCOPE_TRACE_SCHEMA) == json_schema();
    CHECK(schema_is_fresh);
    const std::string page = file_text(FIBERSCOPE_TRACE_FORMAT);
    const bool page_is_fresh = page == with_table_of_events(page);
    CHECK(page_is_fresh);
}

TEST_CASE("a page without the marks of the table is refused") {
    CHECK_THROWS(with_table_of_events("no table"));
    CHECK_THROWS(with_table_of_events(std::string(kTableEnds) + std::string(kTableBegins)));
}
