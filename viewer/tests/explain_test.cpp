// What the viewer explains: where two runs decide differently, a verdict in words, where to read on.
#include <filesystem>
#include <fstream>
#include <set>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "traces/words/chosen.h"
#include "viewer/layout/words/divergence.h"
#include "viewer/layout/words/handout.h"
#include "viewer/layout/words/mechanism.h"
#include "viewer/layout/words/verdict.h"
#include "viewer/model/document.h"
#include "viewer/model/sources.h"
#include "viewer/tests/made_traces.h"
#include "viewer/tests/trace_script.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

std::filesystem::path sample(const char* name) {
    return std::filesystem::path(FIBERSCOPE_ROOT) / "traces" / "samples" / (std::string(name) + ".json");
}

Run run_of(const Document& document) { return {document.replay(), document.index()}; }

/// main resumes those of `order` one after the other, each by its letter; A to D are tasks.
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

std::string divergences_of(const std::string& a, const std::string& b) {
    const Document first(made::parsed(turns(a))), second(made::parsed(turns(b)));
    std::string all;
    for (const Divergence& place : divergences(run_of(first), run_of(second)))
        all += std::to_string(place.decision) + name_at(first, place.first) + name_at(second, place.second) + " ";
    return all;
}

bool has_section(const std::filesystem::path& page, const std::string& anchor) {
    std::ifstream in(page);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("#") && anchor_of(line.substr(line.find(' ') + 1)) == anchor) return true;
    return false;
}

}  // namespace

TEST_CASE("equal runs decide nowhere differently") {
    CHECK(divergences_of("ABCABC", "ABCABC").empty());
    CHECK(divergences_of("", "").empty());
}

TEST_CASE("the first difference of two runs is found, and the next ones after they go the same way again") {
    CHECK(divergences_of("ABCDABC", "ABDABC") == "2CD ");
    CHECK(divergences_of("ABABABAB", "ABCABABABDAB").starts_with("2AC "));
    CHECK(divergences_of("ABCABCDABCABC", "ABCABCBABCABC") == "6DB ");
    CHECK(divergences_of("ABC", "ABCA") == "3-A ");
    INFO("two places");
    CHECK(divergences_of("ABCDABCDABCD", "ABCABCDABCDD") == "3DA 12-D ");
}

TEST_CASE("a difference in words names both and why each was chosen") {
    Document a(sample("04_mixed")), b(sample("04_mixed_multi_state"));
    REQUIRE(a.readable());
    REQUIRE(b.readable());
    const auto places = divergences(run_of(a), run_of(b));
    REQUIRE_FALSE(places.empty());
    // The sets that speak for a decision are known at the playhead.
    a.selection().playhead = places[0].first + 1;
    b.selection().playhead = places[0].second + 1;
    a.sync();
    b.sync();
    const std::string words = divergence_in_words(run_of(a), run_of(b), places[0]);
    INFO(words);
    CHECK(words.starts_with("Here `mixed` "));
    CHECK(words.find("; `mixed_multi_state` ") != std::string::npos);
    CHECK(words.find("the head of the ready queue") != std::string::npos);
    CHECK(words.ends_with("."));
}

TEST_CASE("a verdict says what differs by what matters, better and worse, and nothing else") {
    trace::Figures a, b;
    a.makespan = 427'000, b.makespan = 260'000;
    a.ready = {60'800, 80'000, 91'900}, b.ready = {100, 200, 92'000};
    a.polls = 15, b.polls = 37;
    a.switches = 1000, b.switches = 1002;
    const std::string words = verdict_of({"mixed", a, 1}, {"mixed_go", b, 2});
    CHECK(words.starts_with("mixed_go takes 260 µs, mixed 427 µs: it runs on 2 machines, mixed on 1."));
    CHECK(words.find("usually waits less (100 ns, not 60.8 µs)") != std::string::npos);
    CHECK(words.find("But it calls the poller 37 times, not 15.") != std::string::npos);
    CHECK(words.find("switches") == std::string::npos);
    CHECK(words.find("longest") == std::string::npos);
    CHECK(verdict_of({"x", a, 1}, {"y", a, 1}) ==
          "x and y take about as long (427 µs, 427 µs). No other figure differs by what matters.");
}

TEST_CASE("every entry of the handouts names a section and a file that are there, and every sample has one") {
    const std::filesystem::path root(FIBERSCOPE_ROOT);
    for (const Handout& entry : handouts()) {
        const std::string section(entry.section);
        const auto hash = section.find('#');
        INFO(section);
        REQUIRE(hash != std::string::npos);
        CHECK(has_section(root / section.substr(0, hash), section.substr(hash + 1)));
        CHECK(std::filesystem::exists(root / std::string(entry.source)));
    }
    for (const auto& file : std::filesystem::directory_iterator(root / "traces" / "samples")) {
        if (file.path().extension() != ".json" || file.path().stem().extension() == ".notes") continue;
        INFO(file.path());
        CHECK(handout_of(trace::read(file.path()).head) != nullptr);
    }
}

TEST_CASE("every mechanism has a section of a handout, and a line in a source of the labs") {
    const std::filesystem::path root(FIBERSCOPE_ROOT);
    CHECK(find_labs(root / "traces" / "samples" / "04_mixed.json") == root);
    for (const Mechanism& entry : mechanisms()) {
        INFO(entry.section << " " << entry.source << " " << entry.line);
        const Excerpt section = section_of(root, entry.section);
        CHECK(section.error.empty());
        CHECK(section.lines.size() > 5);
        CHECK(section.marked == section.first);
        const Excerpt source = excerpt_of(root, entry.source, entry.line);
        CHECK(source.error.empty());
        CHECK(source.marked > 0);
    }
    CHECK(section_of(root, "labs/01_switch_asm/README.md#no-such-step").error.find("no section") != std::string::npos);
    CHECK(excerpt_of(root, "labs/none.cpp", "").error.find("cannot be read") != std::string::npos);
    CHECK(excerpt_of({}, "labs/none.cpp", "").error.find("neither above the trace") != std::string::npos);
}

TEST_CASE("what chose, and what holds, leads to its step") {
    trace::Head head;
    head.lab = trace::ForeignText("04_scheduler");
    head.strategy = trace::ForeignText("multi_state");
    CHECK(mechanism_of(head, trace::Chosen::head)->title == "step 4.5");
    CHECK(mechanism_of(head, trace::Chosen::stolen)->title == "step 4.8");
    CHECK(mechanism_of(head, trace::State::sleeping)->line == "void Scheduler::insert_sleeping(");
    CHECK(mechanism_of(head, trace::State::running) == nullptr);
    head.lab = trace::ForeignText("01_switch_asm");
    CHECK(mechanism_of(head, trace::Chosen::head)->title == "step 1.3");
    CHECK(mechanism_of(head, trace::State::sleeping) == nullptr);
    head.lab = trace::ForeignText("02_ucontext");
    CHECK(mechanism_of(head, trace::Chosen::named)->title == "step 2.2");
    head.program = trace::ForeignText("four_calls");
    CHECK(mechanism_of(head, trace::Chosen::named)->title == "step 2.1");
    CHECK(mechanism_of(head, trace::State::suspended)->title == "step 2.1");
    CHECK(mechanism_of(head, trace::Chosen::back)->title == "step 2.3");
    CHECK(handout_of(head)->title == "step 2.1");
    head.program = trace::ForeignText("fiber_scheduler");
    CHECK(mechanism_of(head, trace::Chosen::back)->line == "void Fiber::yield(");
    head.lab = trace::ForeignText("somewhere else");
    CHECK(mechanism_of(head, trace::Chosen::named) == nullptr);
}
