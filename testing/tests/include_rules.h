// Which room may include which, as docs/architecture.md states it.
#pragma once

#include <string>

namespace fiberscope::testing {

/// Why `file` must not include `name` (both as written from the tree's root); empty if it may.
std::string forbidden(const std::string& file, const std::string& name);

}  // namespace fiberscope::testing
