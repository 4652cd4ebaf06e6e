// Running a demo again from the window: its settings, the program, and its errors.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "viewer/model/rerun/rerun.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace fs = std::filesystem;

namespace {

constexpr const char* kKnobs =
    "strategy\tchoice\tlibco\tlibco,go\t\nmachines\tnumber\t2\t\tgo\nseed\tnumber\t1\t\t\nquantum\ttime\t\t\t\n";

fs::path sample(const std::string& name) { return fs::path(FIBERSCOPE_ROOT) / "traces" / "samples" / (name + ".json"); }

/// A directory with a script lab04_demo that lists the settings or executes `what`.
struct FakeDemo {
    explicit FakeDemo(const std::string& what)
        : folder(fs::temp_directory_path() / ("fiberscope-fake-" + std::to_string(getpid()))) {
        fs::remove_all(folder);
        fs::create_directories(folder);
        std::ofstream(folder / "knobs") << kKnobs;
        std::ofstream(folder / "lab04_demo") << "#!/bin/sh\ncd '" << folder.string() << "'\necho \"$*\" >called\n"
                                             << "[ \"$2\" = --knobs ] && exec cat knobs\n"
                                             << "while [ \"$1\" != --out ]; do shift; done\nout=$2\n"
                                             << what << "\n";
        chmod((folder / "lab04_demo").c_str(), 0700);
    }
    ~FakeDemo() { fs::remove_all(folder); }
    FakeDemo(const FakeDemo&) = delete;
    FakeDemo& operator=(const FakeDemo&) = delete;

    std::string called() const {
        std::ifstream in(folder / "called");
        std::string line;
        std::getline(in, line);
        return line;
    }
    const fs::path folder;
};

std::optional<fs::path> wait_for(Rerun& rerun) {
    for (int i = 0; i < 2000 && rerun.busy(); ++i) {
        if (auto file = rerun.poll(Language::english)) return file;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return std::nullopt;
}

trace::Trace mixed() { return trace::read(sample("04_mixed")); }

/// The message after running the demo, which executes `what`.
std::string said_of(const std::string& what, ProgramLimits limits = {}) {
    const FakeDemo demo(what);
    Rerun rerun({demo.folder, {}}, limits);
    rerun.ask(mixed(), Language::english);
    wait_for(rerun);
    REQUIRE(rerun.knobs().size() == 4);
    rerun.run(Language::english);
    CHECK_FALSE(wait_for(rerun));
    CHECK_FALSE(rerun.busy());
    return rerun.said();
}

}  // namespace

TEST_CASE("settings are parsed from a demo's list; invalid lines are ignored") {
    const std::vector<Knob> knobs = read_knobs(kKnobs);
    REQUIRE(knobs.size() == 4);
    CHECK(knobs[0] == Knob{"strategy", KnobKind::choice, "libco", {"libco", "go"}, {}});
    CHECK(knobs[1] == Knob{"machines", KnobKind::number, "2", {}, {"go"}});
    CHECK(knobs[3] == Knob{"quantum", KnobKind::time, "", {}, {}});
    for (const char* line : {"", "seed", "seed\tsize\t1\t\t", "--out\tnumber\t1\t\t", "a b\tnumber\t\t\t",
                             "strategy\tchoice\t\t\t", "strategy\tchoice\t\t-x,y\t", "seed\tnumber\t\x1b[2J\t\t"}) {
        INFO(line);
        CHECK(read_knobs(line).empty());
    }
    std::string many;
    for (int i = 0; i < 100; ++i) many += "k" + std::to_string(i) + "\tnumber\t\t\t\n";
    CHECK(read_knobs(many).size() == 16);
}

TEST_CASE("settings start with the recorded values, and only effective ones are passed to the demo") {
    std::vector<Knob> knobs = read_knobs(kKnobs);
    turn_to(knobs, {"go", "7", 4});
    CHECK(arguments_of(knobs) == std::vector<std::string>{"--strategy", "go", "--machines", "4", "--seed", "7"});
    knobs[0].value = "libco";
    CHECK(arguments_of(knobs) == std::vector<std::string>{"--strategy", "libco", "--seed", "7"});
    turn_to(knobs, {"no such", "x", 0});
    CHECK(knobs[0].value == "libco");
    CHECK(knobs[2].value == "7");
    knobs[2].value = "-1";
    CHECK(wrong_with(knobs[2], Language::english) == "seed: expected a whole number.");
    knobs[3].value = "1 us";
    CHECK(wrong_with(knobs[3], Language::english) == "quantum: expected a time, as in 10us.");
}

TEST_CASE("rerunning a demo queries its settings, passes them, and produces a recording") {
    const FakeDemo demo("cp '" + sample("04_mixed_go").string() + "' \"$out\"");
    fs::path file;
    {
        Rerun rerun({demo.folder, {}});
        rerun.ask(mixed(), Language::english);
        CHECK(rerun.busy());
        wait_for(rerun);
        CHECK(rerun.said().empty());
        CHECK(demo.called() == "mixed --knobs");
        rerun.knobs()[0].value = "go";
        rerun.run(Language::english);
        const auto recorded = wait_for(rerun);
        REQUIRE(recorded);
        file = *recorded;
        CHECK(demo.called().starts_with("mixed --clock virtual --out /"));
        CHECK(demo.called().ends_with(" --strategy go --machines 2 --seed 1"));
        CHECK(trace::read(file).complete);
        rerun.run(Language::english);
        CHECK(wait_for(rerun) == file);
    }
    INFO("no process is left");
    CHECK_FALSE(fs::exists(file.parent_path()));
}

TEST_CASE("each failure of a rerun demo is described in one sentence") {
    CHECK(said_of("echo begins; echo 'mixed: no task can run any more' >&2; exit 1") ==
          "mixed: no task can run any more");
    CHECK(said_of("exit 3") == "04 mixed exited with status 3.");
    CHECK(said_of("kill -SEGV $$") == "04 mixed was killed by signal 11.");
    CHECK(said_of(":") == "04 mixed has not written a recording.");
    CHECK(said_of("printf 'a \\033[2J line'; exit 1") == "a \\x1b[2J line");
    CHECK(said_of("sleep 1000", {std::chrono::milliseconds(200), 64}) ==
          "04 mixed timed out after 0 s and was killed.");
    CHECK(said_of("exec head -c 1000000000 /dev/zero >\"$out\"", {std::chrono::seconds(10), 64}) ==
          "04 mixed wrote more than 64 KB and was killed.");
    CHECK(said_of("exec head -c 1000000000 /dev/zero", {std::chrono::seconds(10), 64}) ==
          "04 mixed wrote more than 64 KB and was killed.");
}

TEST_CASE("a hanging demo and its descendants are killed when it is rerun or the window closes") {
    const FakeDemo demo("sleep 1000 & echo $! >child; wait");
    const auto child_of = [&] {
        int child = 0;
        for (int i = 0; i < 2000 && child == 0; ++i) {
            std::ifstream(demo.folder / "child") >> child;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        fs::remove(demo.folder / "child");
        return child;
    };
    const auto ends = [](int child) {
        for (int i = 0; i < 2000; ++i) {
            if (kill(child, 0) != 0) return true;
            std::ifstream stat("/proc/" + std::to_string(child) + "/stat");  // it remains a zombie if nothing reaps it
            const std::string line{std::istreambuf_iterator<char>(stat), {}};
            if (line.find(") Z ") != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    };
    int last = 0;
    {
        Rerun rerun({demo.folder, {}});
        rerun.ask(mixed(), Language::english);
        wait_for(rerun);
        rerun.run(Language::english);
        const int first = child_of();
        REQUIRE(first > 0);
        rerun.run(Language::english);
        CHECK(ends(first));
        last = child_of();
    }
    REQUIRE(last > 0);
    CHECK(ends(last));
}

TEST_CASE("each reason why a recording cannot be rerun is one sentence") {
    const auto said = [](const DemoPrograms& programs, const char* name, bool mine = false) {
        Rerun rerun(programs);
        rerun.ask(trace::read(sample(name)), Language::english);
        wait_for(rerun);
        rerun.mine() = mine;
        if (mine) rerun.run(Language::english);
        return rerun.said();
    };
    CHECK(said({}, "04_mixed") == "The location of the demos is unknown: start the viewer with ./lab view.");
    CHECK(said({"/nowhere", {}}, "04_mixed") == "/nowhere/lab04_demo is not built: ./lab run 04 mixed builds it.");
    const FakeDemo demo(":");
    CHECK(said({demo.folder, "/nowhere"}, "04_mixed", true) ==
          "/nowhere/lab04_demo is not built: ./lab run 04 mixed --mine builds it.");
    std::ofstream(demo.folder / "knobs", std::ios::trunc) << "";
    CHECK(said({demo.folder, {}}, "04_mixed") == "The demo 04 mixed has no settings.");
    trace::Trace foreign = mixed();
    foreign.head.program = trace::ForeignText("--help; rm");
    Rerun rerun({demo.folder, {}});
    rerun.ask(foreign, Language::english);
    CHECK(rerun.said() == "This recording was not made by a demo of the labs.");
    CHECK_FALSE(rerun.busy());
}
