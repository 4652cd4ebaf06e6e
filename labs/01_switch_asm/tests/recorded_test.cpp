// Step 1.2: the given recording of a switch in a trace.
#include <cstdlib>
#include <string>
#include <vector>

#include "labs/01_switch_asm/tests/raw.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab01;
using trace::Why;

namespace {

/// The value of a register in a trace as text; empty if it is not recorded.
std::string value_of(const trace::Trace& recorded, const std::vector<trace::RegisterValue>& registers,
                     std::string_view name) {
    for (const trace::RegisterValue& one : registers)
        if (recorded.text(one.name) == name) return std::string(recorded.text(one.value).bytes());
    return {};
}

/// The name in a trace of a register of kKeptRegisters.
std::string_view in_trace(std::string_view name) { return name == "x29" ? "fp" : name; }

}  // namespace

TEST_CASE("1.2 the trace names each register of a switch correctly, and the stack pointer after the return") {
    const trace::Trace recorded = kit::testing::trace_of("registers", [] {
        RawContext visitor(
            "visitor",
            [](void*) {
                for (;;) swap_to(main_context());
            },
            nullptr);
        KeptRegisters values{};
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = 4711 + i;
        switch_with_registers(main_context(), visitor, {Why::start, kit::State::suspended}, &_switch, values);
    });
    std::vector<std::size_t> switches;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::switch_) switches.push_back(i);
    INFO("a switch to the new context and one back: two switches");
    REQUIRE(switches.size() == 2);
    const auto left = recorded.saved(switches[0]), back = recorded.loaded(switches[1]);
    INFO("given: the recorder shows the register r14 under the name r14");
    for (std::size_t i = 0; i < kKeptRegisters.size(); ++i) {
        INFO(kKeptRegisters[i]);
        CHECK(value_of(recorded, left, in_trace(kKeptRegisters[i])) == hex(4711 + i));
        CHECK(value_of(recorded, back, in_trace(kKeptRegisters[i])) == hex(4711 + i));
    }
#if defined(__x86_64__)
    constexpr std::string_view kStackPointer = "rsp";
#else
    constexpr std::string_view kStackPointer = "sp";
#endif
    INFO("given: the saved stack pointer is recorded as `_switch` saves it: after the return");
    CHECK(value_of(recorded, left, kStackPointer).starts_with("top-"));
    CHECK(value_of(recorded, left, kStackPointer) == value_of(recorded, back, kStackPointer));
}
