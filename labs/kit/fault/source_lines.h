// Functions, files and lines of addresses of code, asked of addr2line while a signal is handled: no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "labs/kit/fault/frames.h"

namespace fiberscope::kit {

/// The texts live as long as the SourceLines that gave them.
struct SourceLine {
    std::string_view function, file;  ///< the file as it was compiled, from "labs/" on if it lies there
    std::uint64_t line = 0;
};

/// Asks once for all addresses, and gives the answers in their order. If addr2line cannot be had, there are none.
class SourceLines {
  public:
    /// Addresses as they stand in the file of this program.
    explicit SourceLines(const Frames& addresses) noexcept;

    /// Goes to the next address; false if nothing more was answered.
    bool next_address() noexcept;
    /// The next function at this address: what is inlined first, the function it is inlined in last. False when there
    /// is no other. `file` is empty if it is not known.
    bool next(SourceLine& line) noexcept;

  private:
    std::string_view take_line() noexcept;

    std::array<char, 16'384> answer_;
    std::string_view rest_;
};

}  // namespace fiberscope::kit
