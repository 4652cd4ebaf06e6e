// The code locations in the head of a trace.
#include "labs/kit/run/known_code.h"
#include "testing/catch.h"

using namespace fiberscope;

namespace {

constexpr kit::CodeRow kPlain[] = {{"program", "", "9.1", "a.cpp"}, {"waiting", "", "9.1", "a.cpp", "f("}};
constexpr kit::CodeRow kQueue[] = {{"taken", "ready", "9.2", "queue.cpp", "g(", "pop("},
                                   {"program", "", "9.3", "race.cpp", "", "", "race"}};
const kit::KnownCode plain("98_made", kPlain, {.above = true});
const kit::KnownCode by_default("98_made", kQueue, {.rule = "the first", .above = true, .decides = true});
const kit::KnownCode without_places("98_made", {}, {.only = "other", .rule = "by chance", .decides = true});
constexpr kit::CodeRow kOwn[] = {{"program", "", "9.9", "own.cpp"},
                                 {"waiting", "", "9.10", "beyond/more/exercise/own.cpp"}};
const kit::KnownCode own("99_above", kOwn);

std::string described(const char* lab, const char* program, const char* strategy) {
    trace::Meta meta;
    meta.lab = lab, meta.program = program, meta.strategy = strategy;
    kit::KnownCode::describe(meta);
    std::string all = meta.rule;
    for (const trace::Code& one : meta.code)
        all += "; " + one.of + " " + one.step + " " + one.file + (one.of == "waiting" ? " " + one.handout : "");
    return all;
}

}  // namespace

TEST_CASE("known code: a lab's rows apply to its programs, and to those of the labs above that it serves") {
    CHECK(described("98_made", "walk", "") ==
          "the first; program 9.1 labs/98_made/a.cpp; taken 9.2 labs/98_made/queue.cpp; waiting 9.1 labs/98_made/a.cpp "
          "labs/98_made/README.md");
    CHECK(described("99_above", "walk", "").find("program 9.9 labs/99_above/own.cpp") != std::string::npos);
    CHECK(
        described("99_above", "walk", "")
            .ends_with("waiting 9.10 labs/99_above/beyond/more/exercise/own.cpp labs/99_above/beyond/more/README.md"));
    CHECK(described("98_made", "walk", "").find("own.cpp") == std::string::npos);
    CHECK(described("98_made", "race_of_two", "").find("program 9.3") != std::string::npos);
}

TEST_CASE("known code: a strategy without places has its own rule, and no places of the default strategy") {
    CHECK(described("98_made", "walk", "other") ==
          "by chance; program 9.1 labs/98_made/a.cpp; waiting 9.1 labs/98_made/a.cpp labs/98_made/README.md");
}
