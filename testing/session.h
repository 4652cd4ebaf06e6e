// Catch2's session, whose implementation takes a compiler long: compiled once for all test programs (session.cpp).
#pragma once

#include <string>
#include <vector>

namespace fiberscope::testing {

/// Has `install` called now and wherever Catch2 would put its own handlers of SIGSEGV and others in their place.
void keep_handlers(void (*install)());

/// What Catch2's own main does; returns the exit status.
int run_tests(int argc, char** argv);

/// The names of all tests of this program, in the order in which they are declared.
std::vector<std::string> test_names();

/// Runs the test of exactly this name, which must be there; without assertions it fails. Returns the exit status. If
/// `silent`, Catch2 prints nothing.
int run_test(const std::string& name, bool silent);

// Catch2 v2 and v3 name things by different types of string.
inline std::string string_of(const std::string& s) { return s; }
template <class StringRef>
std::string string_of(const StringRef& s) {
    return std::string(s.data(), s.size());
}

}  // namespace fiberscope::testing
