// The header to include in tests: Catch2 v3 if it is installed, else v2. Do not assert inside a coroutine or a second
// thread: collect values there, and assert afterwards.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

// v3 installs handlers of SIGSEGV and others just before a test's body: this is called inside the body, so that a test
// binary can replace them by its own (labs/kit/testing).
namespace fiberscope::testing {
inline void (*before_each_test)() = nullptr;
}
#undef TEST_CASE
#define FIBERSCOPE_TEST_CASE(body, ...)                                                                \
    static void body();                                                                                \
    INTERNAL_CATCH_TESTCASE(__VA_ARGS__) {                                                             \
        if (fiberscope::testing::before_each_test != nullptr) fiberscope::testing::before_each_test(); \
        body();                                                                                        \
    }                                                                                                  \
    static void body()
#define TEST_CASE(...) FIBERSCOPE_TEST_CASE(INTERNAL_CATCH_UNIQUE_NAME(fiberscope_test_), __VA_ARGS__)
#else
// Catch2's own handlers of SIGSEGV and others would replace the ones that a lab's tests need (labs/kit/fault/fault.h).
#define CATCH_CONFIG_NO_POSIX_SIGNALS
#include <catch2/catch.hpp>

// v3's name.
namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& part) { return Contains(part); }
}  // namespace Catch::Matchers
#endif

#include "testing/enumerators.h"
