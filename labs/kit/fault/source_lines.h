// Functions, files and lines of code addresses, from addr2line. For use in signal handlers: does not allocate.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "labs/kit/fault/frames.h"

namespace fiberscope::kit {

/// The texts are valid as long as the SourceLines that returned them.
struct SourceLine {
    std::string_view function, file;  ///< the file as it was compiled, from "labs/" on if it is there
    std::uint64_t line = 0;
};

/// Queries all addresses at once; results are in the same order. Empty if addr2line is not available.
class SourceLines {
  public:
    /// Addresses relative to this program's file.
    explicit SourceLines(const Frames& addresses) noexcept;

    /// Advances to the next address; returns false at the end.
    bool next_address() noexcept;
    /// The next function at this address, inlined functions before the one that contains them. Returns false at the
    /// end. `file` is empty if unknown.
    bool next(SourceLine& line) noexcept;

  private:
    std::string_view take_line() noexcept;

    std::array<char, 16'384> answer_;
    std::string_view rest_;
};

}  // namespace fiberscope::kit
