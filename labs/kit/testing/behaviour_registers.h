// What a trace shows of the registers of a switch (behaviour.h says how to include this).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "labs/kit/testing/behaviour.h"

namespace {

/// "rsp top-0x58, rbp 0x0, …"
std::string registers_in_words(const trace::Trace& recorded, const std::vector<trace::RegisterValue>& registers) {
    std::string words;
    for (const trace::RegisterValue& one : registers)
        words +=
            std::string(recorded.text(one.name).bytes()) + " " + std::string(recorded.text(one.value).bytes()) + ", ";
    return words;
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_RESUME " in the trace a coroutine is loaded with the registers with which it was left") {
    const trace::Trace recorded = kit::testing::trace_of("registers", [] {
        const auto turns = [] {
            for (std::uint64_t i = 0; i < ~std::uint64_t{0}; i += 3) yield();
        };
        Coroutine &a = forever(turns), &b = forever(turns);
        for (int i = 0; i < 3; ++i) {
            a.resume();
            b.resume();
        }
    });
    std::map<std::uint32_t, std::string> left;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (recorded[i].kind != trace::Kind::switch_) continue;
        const auto before = left.find(recorded[i].other);
        if (before != left.end()) {
            INFO("given: what is shown as loaded is what was shown as saved when it was left, each under its own name");
            CHECK(registers_in_words(recorded, recorded.loaded(i)) == before->second);
            ++compared;
        }
        left[recorded[i].co] = registers_in_words(recorded, recorded.saved(i));
    }
    INFO("each coroutine was left and entered again");
    CHECK(compared >= 8);
}
