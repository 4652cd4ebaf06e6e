// Explanations in the viewer: where two runs decide differently, and links to the handouts.
#include <filesystem>
#include <set>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "viewer/layout/trace_facts/divergence.h"
#include "viewer/layout/trace_facts/mechanism.h"
#include "viewer/model/document.h"
#include "viewer/model/sources.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/made/trace_script.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

std::filesystem::path sample(const std::string& name) {
    return std::filesystem::path(FIBERSCOPE_ROOT) / "traces" / "samples" / (name + ".json");
}

Run run_of(const Document& document) { return {document.replay(), document.index()}; }

/// A trace in which main resumes those of `order` one after the other, each denoted by its letter; A to D are tasks.
std::string turns(const std::string& order) {
    made::TraceScript script("turns_" + order);
    script.thread(0, "main");
    for (unsigned co = 1; co <= 4; ++co) script.task(co, 0, std::string(1, static_cast<char>('A' + co - 1)));
    std::set<char> started;
    for (const char c : order) {
        const auto co = static_cast<unsigned>(c - 'A' + 1);
        script.jump(0, co, started.insert(c).second ? "start" : "resume", "normal");
        script.jump(co, 0, "yield", "suspended");
    }
    return script.finish();
}

std::string name_at(const Document& document, std::size_t event) {
    if (event >= document.replay().size()) return "-";
    return document.replay().trace().name(document.replay().trace()[event].other);
}

/// "4 of 7, 7: 2C- ": number of common decisions and of all decisions of both; for each difference the number of
/// preceding decisions of the first run, and both decisions.
std::string divergences_of(const std::string& a, const std::string& b) {
    const Document first(made::parsed(turns(a))), second(made::parsed(turns(b)));
    const Divergences found = divergences(run_of(first), run_of(second));
    std::string all =
        std::to_string(found.agree) + " of " + std::to_string(found.first) + ", " + std::to_string(found.second) + ":";
    const auto decided = [](const Document& document, const DifferentStretch& stretch) {
        return stretch.decisions == 0 ? "-" : name_at(document, stretch.event);
    };
    for (const Divergence& place : found.places)
        all += " " + std::to_string(place.decision) + decided(first, place.first) + decided(second, place.second);
    return all;
}

}  // namespace

TEST_CASE("as many decisions as possible are aligned, also between two differences") {
    CHECK(divergences_of("ABCDABC", "ABDABC") == "6 of 7, 6: 2C-");
    CHECK(divergences_of("ABABABAB", "ABCABABABDAB") == "8 of 8, 12: 2-C 6-D");
    CHECK(divergences_of("ABCABCDABCABC", "ABCABCBABCABC") == "12 of 13, 13: 6DB");
    INFO("a single common decision between two differences");
    CHECK(divergences_of("ABCA", "DBAA") == "2 of 4, 4: 0AD 2CA");
}

TEST_CASE("the sentence about two runs counts the decisions that agree and the stretches that differ") {
    const Document first(made::parsed(turns("ABC"))), second(made::parsed(turns("ABDD")));
    const Run a = run_of(first), b = run_of(second);
    const std::string words = divergences_in_words(a, b, divergences(a, b));
    INFO(words);
    CHECK(words.starts_with("2 of 3 decisions agree (turns_ABDD makes 4); 1 stretch differs"));
    INFO("of three files side by side, equal ones are reported");
    const Document same(sample("03_owners_1")), other(sample("03_owners_2"));
    const Run one = run_of(same), two = run_of(other);
    CHECK(divergences_in_words(one, two, divergences(one, two)) ==
          "owners_1 and owners_2 run the same tasks in the same order.");
}

TEST_CASE("no text contains a backtick, which would be drawn literally") {
    for (const Language language : {Language::english, Language::chinese})
        CHECK(all_texts(language, {"viewer", "traces/"}).find('`') == std::string::npos);
}

TEST_CASE("every place in the code named by a sample exists, and every sample has a handout") {
    const std::filesystem::path root(FIBERSCOPE_ROOT);
    CHECK(find_labs(root / "traces" / "samples" / "04_mixed.json") == root);
    std::set<std::string> seen;
    for (const auto& file : made::all_samples()) {
        const trace::Head head = trace::read(file).head;
        INFO(file);
        CHECK(handout_of(head));
        for (const trace::CodePlace& place : head.code) {
            if (!seen.insert(std::string(place.file.bytes()) + std::string(place.function.bytes())).second) continue;
            INFO(place.step.bytes() << " " << place.file.bytes() << " " << place.function.bytes());
            const Excerpt section = section_of(root, place.handout.bytes(), place.step.bytes());
            CHECK(section.error.empty());
            CHECK(section.lines.size() > 3);
            CHECK(section.marked == section.first);
            const Excerpt source = excerpt_of(root, place.file.bytes(), place.function.bytes());
            CHECK(source.error.empty());
            CHECK((source.marked > 0) == !place.function.empty());
        }
    }
    CHECK(seen.size() > 30);
    CHECK(section_of(root, "labs/01_switch_asm/README.md", "1.9").error.find("no section") != std::string::npos);
    CHECK(excerpt_of(root, "labs/none.cpp", "").error.find("cannot be read") != std::string::npos);
    CHECK(excerpt_of({}, "labs/none.cpp", "").error.find("contains neither the trace") != std::string::npos);
    const auto step_of = [&](const std::string& name) { return handout_of(trace::read(sample(name)).head)->step; };
    INFO("the step that describes a demo, if another one of its lab has the same strategy or none");
    CHECK(step_of("03_interleave") == "3.3");
    for (const char* name : {"03_owners_2", "03_hazard"}) CHECK(step_of(name) == "3.4");
    CHECK(step_of("04_readers_writers_netco") == "4.10");
    CHECK(step_of("05_edges") == "5.1");
    CHECK(step_of("05_registered_once") == "5.2");
    for (const char* name : {"05_clients", "05_clients_netco"}) CHECK(step_of(name) == "5.6");
    CHECK(step_of("06_producer_consumer") == "6.6");
    CHECK(step_of("06_idle_timeouts") == "6.7");
    CHECK(step_of("06_three_stores_wheel") == "6.3");
}
