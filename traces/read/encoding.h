// Detection of a text's encoding by its first bytes.
#pragma once

#include <string_view>

namespace fiberscope::trace {

/// Returns "UTF-16LE", "UTF-16BE", "UTF-32LE" or "UTF-32BE" if JSON that begins with these bytes has that encoding,
/// else an empty string. Windows programs write UTF-16 ("script > file" in PowerShell 5).
std::string_view wide_encoding(std::string_view json) noexcept;

}  // namespace fiberscope::trace
