// Steps and files that the viewer opens for a recording, and the reasons it gives, over all samples.
#include <filesystem>
#include <regex>
#include <set>

#include "testing/catch.h"
#include "traces/words/chosen.h"
#include "traces/words/registers.h"
#include "viewer/layout/trace_facts/mechanism.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/model/document.h"
#include "viewer/model/sources.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/reader.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;
namespace fs = std::filesystem;

namespace {

const fs::path kTree(FIBERSCOPE_ROOT);

std::string number_in(std::string_view text) {
    std::match_results<std::string_view::const_iterator> found;
    static const std::regex number(R"([0-9]+\.[0-9]+)");
    return std::regex_search(text.begin(), text.end(), found, number) ? found.str() : std::string();
}

/// The first line of the section shown by a click, in that language.
std::string heading_of(const Mechanism& mechanism, Language language) {
    const Excerpt section = section_of(kTree, handout_in(mechanism, language), mechanism.step, language);
    INFO(section.error);
    REQUIRE(section.error.empty());
    const auto& lines = section.lines;
    const auto it = std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("#"); });
    return it == lines.end() ? std::string() : *it;
}

void check_link(const Mechanism& mechanism, std::set<std::string>& seen) {
    if (!seen.insert(mechanism.line).second) return;
    const std::string& step = mechanism.step;
    INFO(step << " " << mechanism.handout);
    for (const Language language : {Language::english, Language::chinese}) {
        CHECK(number_in(title_of(mechanism, language)) == step);
        CHECK(number_in(heading_of(mechanism, language)) == step);
    }
    for (const char* variant : {"", "exercise"}) {
        trace::Head head;
        head.files = trace::ForeignText(std::string(variant));
        head.lab = trace::ForeignText(std::string(mechanism.source.substr(5, mechanism.source.find('/', 5) - 5)));
        const RanFile ran = file_that_ran(kTree, head, mechanism.source);
        INFO(ran.path);
        const bool given = mechanism.source.find("/given/") != std::string_view::npos;
        CHECK(ran.path.find(given ? "/given/" : *variant == 0 ? "/solution/" : "/exercise/") != std::string::npos);
        CHECK(excerpt_of(kTree, ran.path, mechanism.line).marked > 0);
    }
}

}  // namespace

TEST_CASE("each link of each step of all samples leads to its step, in both languages, and not below its scheduler") {
    std::set<std::string> seen;
    for (const fs::path& file : made::all_samples()) {
        Document document(file);
        const trace::Trace& trace = document.replay().trace();
        const int lab = std::stoi(std::string(trace.head.lab.bytes().substr(0, 2)));
        REQUIRE(handout_of(trace.head));
        for (const std::uint32_t n : document.index().switches()) {
            document.selection().playhead = n + std::size_t{1};
            document.sync();
            INFO(file << " event " << n);
            const auto chose = line_before(document.replay(), document.index().switches(), n + std::size_t{1});
            INFO("no step covers unwinding a destroyed coroutine, and 03_states shows two steps at once");
            REQUIRE(chose.has_value() == !((trace::is_decision(trace, n) && trace::sends_to_unwind(trace, n)) ||
                                           file.stem() == "03_states"));
            if (!chose) continue;
            const int step = std::stoi(chose->step);
            CHECK(step <= lab);
            CHECK(step >= (lab >= 4 ? 4 : lab));
            check_link(*chose, seen);
            const auto left = trace[n].second<trace::State>();
            if (const auto holds = mechanism_of(trace, left)) {
                CHECK(std::stoi(holds->step) >= (lab >= 4 ? 4 : lab));
                check_link(*holds, seen);
            }
        }
    }
    CHECK(seen.size() > 20);
}

namespace {

/// All lines that chose a switch of a sample (decisions or switches back), "Netco::work fresh.pop()", without
/// duplicates.
std::set<std::string> lines_in(const std::string& sample, bool decisions) {
    Document document(made::sample(sample));
    std::set<std::string> lines;
    for (const std::uint32_t n : document.index().switches()) {
        document.replay_to_move().seek(n + std::size_t{1});
        if (trace::is_decision(document.replay().trace(), n) != decisions) continue;
        const auto chose = line_that_chose(document.replay(), n);
        if (!chose) continue;
        const std::string line = chose->line.substr(0, chose->line.find('('));
        lines.insert(line.substr(line.rfind(' ') + 1) + (chose->inside.empty() ? "" : " " + chose->inside));
    }
    return lines;
}

}  // namespace

TEST_CASE("the deciding line is in the loop used, for every strategy") {
    using Lines = std::set<std::string>;
    CHECK(lines_in("04_mixed", true) == Lines{"ProducerConsumer::run ready().pop()"});
    const Lines multi_state{"MultiState::run ready().pop()", "MultiState::run sched.expired(",
                            "MultiState::run sched.waiter("};
    CHECK(lines_in("04_mixed_multi_state", true) == multi_state);
    CHECK(lines_in("05_clients", true) == multi_state);
    CHECK(lines_in("04_mixed_hand_off", true) == Lines{"HandOff::leave ready().pop()", "HandOff::run ready().pop()"});
    const Lines sylar{"Sylar::run_on_caller scheduler.resume()", "Sylar::schedule_tasks resume_idle(",
                      "Sylar::take ready().pop_first("};
    for (const char* sample : {"04_mixed_sylar", "05_clients_sylar", "05_io_manager"})
        CHECK(lines_in(sample, true) == sylar);
    CHECK(lines_in("04_mixed_netco", true) ==
          Lines{"Netco::work expired.pop()", "Netco::work fresh.pop()", "Netco::work ready().pop()"});
    CHECK(lines_in("04_fanout_go", true) == Lines{"GoScheduler::next pop_global(", "GoScheduler::next pop_local(",
                                                  "GoScheduler::steal return mine.runnable.pop()"});
    CHECK(lines_in("04_fanout_deque", true) ==
          Lines{"GoDeques::next", "GoDeques::next steal_from_others(", "GoDeques::next take_global("});
    CHECK(lines_in("04_event_loop", true) == Lines{"EventLoop::run ready().pop()"});
    CHECK(lines_in("05_clients_libco", true) == Lines{"EventLoop::run ready().pop()"});
    CHECK(lines_in("06_producer_consumer", true) == Lines{"ProducerConsumer::run ready().pop()"});
    CHECK(lines_in("02_fiber_scheduler", true) == Lines{"Fiber::resume", "Scheduler::loop tasks_.pop()"});
    CHECK(lines_in("03_owners_1", true) == Lines{"Coroutine::resume_until_yield"});
    CHECK(lines_in("01_two_contexts", true) == Lines{"_switch:"});
}

TEST_CASE("a task that leaves leads to its call") {
    const auto has = [](const char* sample, const char* line) { return lines_in(sample, false).contains(line); };
    for (const char* line : {"wait_for", "sleep_for", "Scheduler::insert_by_state"}) CHECK(has("05_clients", line));
    CHECK(has("04_readers_writers", "RWMutex::take"));
    for (const char* line : {"ChannelCore::wait", "Select::wait_for_one"}) CHECK(has("04_channels", line));
    CHECK_FALSE(has("04_channels", "wait_for"));
    CHECK(has("04_mixed", "wait_for"));
    CHECK_FALSE(has("04_pipeline", "wait_for"));
    CHECK(has("05_uring", "UringSource::perform"));
    CHECK(has("05_io_manager", "IOManager::wait_event"));
    CHECK(has("05_io_manager", "wait_for"));  // the idle task
    CHECK(has("05_time_outs", "io::poll"));
    CHECK(has("01_nested", "Coroutine::finish"));
    CHECK(has("02_four_calls", "Context::make"));
    CHECK(has("02_fiber_scheduler", "Fiber::finish"));
    CHECK(has("03_owners_1", "yield_to_resumer"));
}

TEST_CASE("a head that leads out of the tree of the labs is ignored, like one without places") {
    const auto of = [](const std::string& handout, const std::string& file) {
        std::string text = made::round_robin(3, 4);
        text.insert(text.find("\"meta\":{") + 8, "\"code\":[{\"of\":\"program\",\"step\":\"9.9\",\"handout\":\"" +
                                                     handout + "\",\"file\":\"" + file + "\"}],");
        return handout_of(made::parsed(text).head);
    };
    CHECK(of("labs/x/README.md", "labs/x/y.cpp")->source == "labs/x/y.cpp");
    CHECK(title_of(*of("labs/x/README.md", "labs/x/y.cpp"), Language::chinese).find("9.9") != std::string::npos);
    CHECK_FALSE(of("labs/x/README.md", "/etc/passwd"));
    CHECK_FALSE(of("labs/../../secret", "labs/x/y.cpp"));
    CHECK_FALSE(handout_of(made::parsed(made::round_robin(3, 4)).head));
}

TEST_CASE("the file used is the student's own if that is recorded, else the reference's if there is one") {
    const char* source = "labs/04_scheduler/exercise/netco.cpp";
    trace::Head head;
    head.lab = trace::ForeignText("04_scheduler");
    CHECK(file_that_ran(kTree, head, source).path == "labs/04_scheduler/solution/netco.cpp");
    head.files = trace::ForeignText("exercise");
    CHECK(file_that_ran(kTree, head, source).path == source);
    head.lab = trace::ForeignText("05_epoll_io");
    CHECK(file_that_ran(kTree, head, source).path == "labs/04_scheduler/solution/netco.cpp");
    INFO("a student's tree has no solutions");
    const fs::path tree = fs::temp_directory_path() / "fiberscope-a-student";
    fs::create_directories(tree / "labs/04_scheduler/exercise");
    CHECK(file_that_ran(tree, head, source).path == source);
    CHECK_FALSE(file_that_ran(tree, head, source).stands_in);
    head.files = trace::ForeignText("");
    CHECK(file_that_ran(tree, head, source).path == source);
    CHECK(file_that_ran(tree, head, source).stands_in);
    fs::remove_all(tree);
    INFO("the recorded mechanism is read");
    std::string text = made::round_robin(3, 4);
    text.insert(text.find("\"meta\":{") + 8, "\"files\":\"exercise\",");
    CHECK(made::parsed(text).head.files == "exercise");
}

TEST_CASE("the title of a recording names the file of a workload") {
    std::string text = made::round_robin(3, 4);
    CHECK(title_line(made::parsed(text)).find("bakery") == std::string::npos);
    text.insert(text.find("\"meta\":{") + 8, "\"workload\":\"bakery\\u001b.txt\",");
    CHECK(title_line(made::parsed(text)).find("bakery\\x1b.txt") != std::string::npos);
}
