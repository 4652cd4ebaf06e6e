// Shortens a list of random operations that violates a rule, so that a person can follow the rest.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "labs/kit/testing/child.h"
#include "labs/kit/testing/shrink.h"
#include "languages/message.h"

namespace fiberscope::kit::testing {

/// Limits on the trials of lists, which may crash or not end.
struct Trials {
    double seconds = 2;                  ///< of processor time, for all of them
    std::chrono::milliseconds one{250};  ///< of processor time, for each
};

/// Returns a few of the operations, in their order, that violate a rule; none if all together violate none.
/// `broken_rule` executes a list of operations from the start, and returns a description of the violated rule, or "".
/// Runs in child processes, which record nothing, so lists that crash or do not end are shortened too. Run the result
/// again by rule_broken_here: only these operations are then recorded, and a crash is reported.
template <class Operation, class Rule>
std::vector<Operation> shrink_failures(const std::vector<Operation>& all, Rule broken_rule, Trials trials = {}) {
    constexpr std::size_t kMostTrials = 1'000;
    const ChildAnswer whole = answer_of_child([&] { return broken_rule(all); });
    if (whole.is("")) return {};
    if (whole.not_implemented) return all;  // run here, they report the missing function
    const double until = processor_seconds() + trials.seconds;
    const auto fails = [&](const std::vector<Operation>& some) {
        if (processor_seconds() > until) return false;
        const ChildAnswer answer = answer_of_child([&] { return broken_rule(some); }, trials.one);
        return !answer.is("") && !answer.not_implemented;
    };
    return shrink(shortest_beginning(all, fails), fails, kMostTrials);
}

/// Returns the rule that the few operations violate, or "". Operations that do not end are not run here, since they
/// would record forever.
template <class Operation, class Rule>
std::string rule_broken_here(const std::vector<Operation>& few, Rule broken_rule) {
    if (!few.empty() && answer_of_child([&] { return broken_rule(few); }).hung)
        return "these operations end (they did not, within a second of CPU time)";
    return broken_rule(few);
}

/// A message: "resume 3; resume 5"; of a long list only how many there are, and of one in many words the first ones.
template <class Operation, class InWords>
std::string list_in_words(const std::vector<Operation>& operations, InWords in_words) {
    constexpr std::size_t kMost = 50, kMostLetters = 320;
    if (operations.size() > kMost) return message("{0} of them", operations.size());
    std::string words;
    std::size_t letters = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const std::string next = in_words(operations[i]);
        letters += english_of(next).size() + 2;
        if (letters > kMostLetters) return message("{0}; and {1} more", Value::of(words), operations.size() - i);
        words = words.empty() ? next : message("{0}; {1}", Value::of(words), Value::of(next));
    }
    return words;
}

}  // namespace fiberscope::kit::testing
