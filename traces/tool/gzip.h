// Output that is compressed on its way, as gzip does it.
#pragma once

#include <functional>
#include <iosfwd>

namespace fiberscope::trace::tool {

/// Whether this program was built with zlib.
bool can_compress() noexcept;

/// Calls `write` with a stream, and writes to `to` what it wrote there, compressed. Needs can_compress(). Whether all
/// could be written, `to` knows.
void write_gzip(std::ostream& to, const std::function<void(std::ostream&)>& write);

}  // namespace fiberscope::trace::tool
