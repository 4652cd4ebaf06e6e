#include "traces/words/registers.h"

#include <string>
#include <vector>

#include <filesystem>
#include <sstream>
#include "testing/catch.h"
#include "traces/tests/support.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

constexpr const char* kMain = R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")";
constexpr const char* kPing = R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"ping")";
constexpr const char* kStart =
    R"("t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal","saved":{"rsp":"top-0x58"})";
constexpr const char* kYield =
    R"("t":2,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended","saved":{"rsp":"top-0x1040",)"
    R"("rbx":"0x1"},"loaded":{"rsp":"top-0x58"})";

/// main resumes ping, and these registers are loaded.
std::string resume(const std::string& loaded) {
    return R"("t":3,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal","saved":{},"loaded":{)" +
           loaded + "}";
}

std::vector<ChangedRegister> changes(const std::string& loaded) {
    const std::string last = resume(loaded);
    return changed_registers(read_events({kMain, kPing, kStart, kYield, last.c_str()}));
}

}  // namespace

TEST_CASE("registers: what comes back as it was left is no change") {
    CHECK(changes(R"("rsp":"top-0x1040","rbx":"0x1")").empty());
}

TEST_CASE("registers: what comes back different is told as the viewer marks it") {
    const auto all = changes(R"("rsp":"top-0x1048","rbx":"0x0")");
    REQUIRE(all.size() == 2);
    CHECK(all[0].words == "≠ rsp top-0x1048 was top-0x1040");
    CHECK(all[1].words == "≠ rbx 0x0 was 0x1");
    CHECK(all[0].event == 4);
    CHECK(all[0].co == 1);
}

TEST_CASE("registers: a coroutine that is unwound is sent elsewhere on purpose") {
    CHECK(changes(R"("rsp":"top-0x1048","rip":"fiberscope::lab01::Coroutine::throw_unwind()+0x0")").empty());
}

TEST_CASE("registers: what is unwound is called unwound, and what ends by itself is not") {
    const std::string unwind = resume(R"("rip":"fiberscope::lab01::Coroutine::throw_unwind()+0x0")");
    const std::string usual = resume(R"("rsp":"top-0x1040")");
    constexpr const char* kExit = R"("t":4,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")";
    const Trace unwound = read_events({kMain, kPing, kStart, kYield, unwind.c_str(), kExit});
    CHECK(describe(unwound, 4) == "main unwinds ping, which is to be destroyed; main waits for it");
    CHECK(describe(unwound, 5) == "ping is unwound; control goes back to main");
    const Trace ended = read_events({kMain, kPing, kStart, kYield, usual.c_str(), kExit});
    CHECK(describe(ended, 5) == "ping ends; control goes back to main");
}

TEST_CASE("registers: no sample has a changed one, but the demo of a switch that forgets one") {
    for (const auto& entry : std::filesystem::directory_iterator(FIBERSCOPE_ROOT "/traces/samples")) {
        const auto all = changed_registers(read(entry.path()));
        INFO(entry.path() << ": " << (all.empty() ? "" : all.front().words));
        CHECK(all.empty() == (entry.path().filename() != "01_two_contexts.json"));
    }
}

TEST_CASE("registers: the state at a switch tells what came back different, and the registers of each coroutine") {
    Scratch scratch;
    std::string lines;
    for (const std::string& event : {std::string(kMain), std::string(kPing), std::string(kStart), std::string(kYield),
                                     resume(R"("rsp":"top-0x1048","rbx":"0x1")")})
        lines += "{" + event + "}\n";
    const std::string file = scratch.write("changed.json", document(lines));
    std::ostringstream at_switch, before, err;
    REQUIRE(tool::run(std::vector<std::string>{"state", file}, at_switch, err) == 0);
    CHECK(at_switch.str().find("≠ rsp top-0x1048 was top-0x1040, loaded into ping") != std::string::npos);
    REQUIRE(tool::run(std::vector<std::string>{"state", file, "--at", "4"}, before, err) == 0);
    CHECK(before.str().find("≠") == std::string::npos);
    CHECK(before.str().find("rsp=top-0x1040 rbx=0x1") != std::string::npos);
}
