// The version of fiberscope, which is that of the file VERSION.
#pragma once

namespace fiberscope {

/// "0.2.0".
const char* version() noexcept;

/// Prints "PROGRAM VERSION" if the only argument is --version, and returns whether it was.
bool prints_version(int argc, char** argv, const char* program);

}  // namespace fiberscope
