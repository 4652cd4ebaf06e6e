// Catch2's session. Its implementation compiles slowly, so session.cpp is shared by all test programs.
#pragma once

#include <string>
#include <vector>

namespace fiberscope::testing {

/// Calls `install` now and whenever Catch2 would install its own handlers of SIGSEGV and others.
void keep_handlers(void (*install)());

/// The equivalent of Catch2's own main; returns the exit status.
int run_tests(int argc, char** argv);

/// The names of all tests of this program, in order of declaration.
std::vector<std::string> test_names();

/// Runs the test with exactly this name, which must exist; fails if it asserts nothing. Returns the exit status. If
/// `silent`, Catch2 prints nothing.
int run_test(const std::string& name, bool silent);

// Catch2 v2 and v3 use different string types for names.
inline std::string string_of(const std::string& s) { return s; }
template <class StringRef>
std::string string_of(const StringRef& s) {
    return std::string(s.data(), s.size());
}

}  // namespace fiberscope::testing
