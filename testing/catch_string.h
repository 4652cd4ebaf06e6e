// Catch2 v2 and v3 name things by different types of string.
#pragma once

#include <string>

namespace fiberscope::testing {

inline std::string string_of(const std::string& s) { return s; }
template <class StringRef>
std::string string_of(const StringRef& s) {
    return std::string(s.data(), s.size());
}

}  // namespace fiberscope::testing
