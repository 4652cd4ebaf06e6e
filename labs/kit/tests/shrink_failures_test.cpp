// Random operations that break a rule, crash or do not end are shortened in child processes.
#include "labs/kit/testing/shrink_failures.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/kit/report/report.h"
#include "testing/catch.h"
#include "testing/sanitized.h"

using fiberscope::kit::testing::list_in_words;
using fiberscope::kit::testing::shrink_failures;
using Numbers = std::vector<int>;

namespace {

Numbers up_to(int count) {
    Numbers all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

bool has(const Numbers& list, int one) { return std::find(list.begin(), list.end(), one) != list.end(); }

/// Something happens after 30 operations, and again after 700.
template <class Happens>
auto after_two(Happens happens) {
    return [happens](const Numbers& list) -> std::string {
        if (has(list, 30) && has(list, 700)) return happens();
        return "";
    };
}

}  // namespace

TEST_CASE("few: operations that break no rule shrink to none") {
    CHECK(shrink_failures(up_to(1000), [](const Numbers&) { return std::string(); }).empty());
}

TEST_CASE("few: operations that break a rule, throw or crash are kept, in order") {
    const Numbers two = {30, 700};
    CHECK(shrink_failures(up_to(1000), after_two([] { return std::string("a rule"); })) == two);
    CHECK(shrink_failures(up_to(1000), after_two([]() -> std::string { throw std::runtime_error("x"); })) == two);
    CHECK(shrink_failures(up_to(1000), after_two([]() -> std::string { std::abort(); })) == two);
}

TEST_CASE("few: all operations are kept if they reach a function that is not written yet") {
    const auto comes_to_a_stub = [](const Numbers&) -> std::string {
        std::_Exit(fiberscope::kit::kNotImplementedStatus);
    };
    CHECK(shrink_failures(up_to(5), comes_to_a_stub) == up_to(5));
}

TEST_CASE("few: a list that does not end is not tried for long") {
#ifdef FIBERSCOPE_SANITIZED
    SUCCEED("the time limit is the same without a sanitizer");
    return;
#endif
    const auto never_ends = after_two([]() -> std::string {
        for (static std::atomic<int> turns = 0;;) ++turns;
    });
    const double before = fiberscope::kit::processor_seconds();
    const Numbers few = shrink_failures(up_to(1000), never_ends, {1, std::chrono::milliseconds(60)});
    CHECK(has(few, 30));
    CHECK(has(few, 700));
    CHECK(fiberscope::kit::testing::rule_broken_here(few, never_ends).find("operations end") != std::string::npos);
    CHECK(fiberscope::kit::processor_seconds() - before < 5);
}

TEST_CASE("few: a list as text; a long one is counted") {
    const auto word = [](int n) { return "do " + std::to_string(n); };
    CHECK(fiberscope::english_of(list_in_words(Numbers{1, 2}, word)) == "do 1; do 2");
    CHECK(fiberscope::english_of(list_in_words(up_to(51), word)) == "51 of them");
    const auto many_words = [](int n) { return std::to_string(n) + std::string(100, 'x'); };
    CHECK(fiberscope::english_of(list_in_words(Numbers{1, 2, 3, 4, 5}, many_words)) ==
          many_words(1) + "; " + many_words(2) + "; " + many_words(3) + "; and 2 more");
}
