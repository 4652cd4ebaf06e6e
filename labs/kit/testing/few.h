// A long list of random operations that breaks a rule is made short, so that a person can follow what is left.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "labs/kit/testing/child.h"
#include "labs/kit/testing/shrink.h"

namespace fiberscope::kit::testing {

/// A few of the operations that break a rule, in their order; none if all of them break none. `broken_rule` does a list
/// of operations from a new beginning, and returns the rule that they break, in words, or "". It is tried in children,
/// which record nothing, so a list that crashes or does not end is made short too. Do the few again here: these alone
/// are then recorded, and a crash is told.
template <class Operation, class Rule>
std::vector<Operation> few_that_fail(const std::vector<Operation>& all, Rule broken_rule) {
    constexpr double kSeconds = 2;  // of processor time, for all trials
    constexpr std::size_t kMostTrials = 1'000;
    const auto try_in_child = [&](const std::vector<Operation>& some) {
        return answer_of_child([&] { return broken_rule(some); });
    };
    const ChildAnswer whole = try_in_child(all);
    if (whole.is("")) return {};
    if (whole.not_implemented) return all;  // done here, they tell which function is missing
    const double until = processor_seconds() + kSeconds;
    const auto fails = [&](const std::vector<Operation>& some) {
        if (processor_seconds() > until) return false;
        const ChildAnswer answer = try_in_child(some);
        return !answer.is("") && !answer.not_implemented;
    };
    return shrink(shortest_beginning(all, fails), fails, kMostTrials);
}

/// "resume 3; resume 5"; of a long list only how many there are.
template <class Operation, class InWords>
std::string list_in_words(const std::vector<Operation>& operations, InWords in_words) {
    constexpr std::size_t kMost = 50;
    if (operations.size() > kMost) return std::to_string(operations.size()) + " of them";
    std::string words;
    for (const Operation& operation : operations) words += (words.empty() ? "" : "; ") + in_words(operation);
    return words;
}

}  // namespace fiberscope::kit::testing
