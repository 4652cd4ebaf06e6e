// The locals of many coroutines across resume and yield. See behaviour.h for how to include this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "labs/kit/report/notes.h"
#include "labs/kit/testing/behaviour.h"
#include "labs/kit/testing/shrink_failures.h"

namespace {

/// Keeps numbers in a vector, an array and a register across every yield, and sets the violated rule if they differ.
/// Counts its turns.
inline void keep_locals(std::size_t number, std::string& rule, std::size_t& turns) {
    std::vector<std::uint64_t> on_heap(16, number);
    volatile std::uint64_t on_stack[16] = {};
    double product = static_cast<double>(number);
    for (std::uint64_t step = 0;; ++step) {
        ++turns;
        bool intact = product == static_cast<double>(number) + 0.5 * static_cast<double>(step);
        for (std::size_t k = 0; k < 16; ++k)
            intact = intact && on_heap[k] == number + step && on_stack[k] == (number + k) * step;
        if (!intact && rule.empty())
            rule = "the locals of coroutine number " + std::to_string(number) + " changed while it was suspended";
        for (auto& value : on_heap) ++value;
        for (std::size_t k = 0; k < 16; ++k) on_stack[k] = (number + k) * (step + 1);
        product += 0.5;
        yield();
    }
}

/// Creates the coroutines in `resumes`, and resumes them in this order.
inline std::string rule_broken_by_resumes(const std::vector<std::size_t>& resumes) {
    static std::string rule;  // the coroutines are never destroyed
    static std::size_t turns;
    rule.clear();
    turns = 0;
    std::size_t resumed = 0;
    std::map<std::size_t, Coroutine*> made;
    for (const std::size_t number : resumes) {
        Coroutine*& co = made[number];
        if (co == nullptr)
            co = &forever([number] { keep_locals(number, rule, turns); },
                          named(("number " + std::to_string(number)).c_str()));
        co->resume();
        if (rule.empty() && turns != ++resumed)
            rule = "resume returned before coroutine number " + std::to_string(number) + " had run";
        if (!rule.empty()) break;
    }
    return rule;
}

inline std::string resumes_in_words(const std::vector<std::size_t>& resumes) {
    return kit::testing::list_in_words(resumes, [](std::size_t n) { return message("resume number {0}", n); });
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_RESUME " locals are intact after many interleavings in random order") {
    std::vector<std::size_t> all(100), resumes;
    std::iota(all.begin(), all.end(), 0);
    std::mt19937 random{2024};
    for (int round = 0; round < 51; ++round) {
        std::shuffle(all.begin(), all.end(), random);
        resumes.insert(resumes.end(), all.begin(), all.end());
    }
    const std::vector<std::size_t> few = kit::testing::shrink_failures(resumes, rule_broken_by_resumes);
    INFO(kit::told(message("found among random resumes, and shortened: {0}", Value::of(resumes_in_words(few)))));
    const std::string rule = kit::testing::rule_broken_here(few, rule_broken_by_resumes);
    REQUIRE(rule == "");
    CHECK(few.empty());
}
