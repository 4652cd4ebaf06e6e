// The version of fiberscope, from the file VERSION.
#pragma once

namespace fiberscope {

/// "0.2.0".
const char* version() noexcept;

/// Prints "PROGRAM VERSION" if the only argument is --version; returns whether it did.
bool prints_version(int argc, char** argv, const char* program);

}  // namespace fiberscope
