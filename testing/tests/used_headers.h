// Whether a file includes what it uses of the standard library. The compiler does not say so: what is read once for all
// files (cmake/read_once.cmake) is there for each of them.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace fiberscope::testing {

/// What `code` names of the standard library without one of the headers that declare it: "std::sort needs <algorithm>".
/// Only names that are used often are known. `included`: every header that the file includes, also through others of
/// the tree.
std::vector<std::string> missing_headers(const std::string& code, const std::set<std::string>& included);

}  // namespace fiberscope::testing
