// Symbolic register values: a trace contains no absolute addresses, and two runs of one program give the same text.
#pragma once

#include <cstdint>

#include "traces/record/buffer.h"
#include "traces/record/text.h"

namespace fiberscope::trace::detail {

/// Writes values as
///   top-0x58     an address in the coroutine's own stack, as the distance from its top
///   ping+0x1f    code of the program or of a library
///   data         static data of the program or of a library
///   memory       any other address: mapped now, or where only programs and libraries lie (the heap, another stack)
///   0x2a         a number
class AddressWords {
  public:
    explicit AddressWords(PageCache& pages) noexcept;

    void put(Text& out, std::uint64_t value, const RegisterBlock::Stack& stack) noexcept;

  private:
    bool mapped(std::uintptr_t address) noexcept;

    PageCache& pages_;
};

/// `"saved":{…},"loaded":{…}` with a comma before each; async-signal-safe.
void put_registers(Text& out, const RegisterBlock& registers, AddressWords& words) noexcept;

/// Collects into `scratch.unresolved` the unresolved code addresses of the slots up to `upto`. Returns their number; if
/// they do not fit, the rest is left for another call.
std::size_t unresolved_codes(ThreadBuffer& buffer, std::uint32_t upto, Scratch& scratch) noexcept;

}  // namespace fiberscope::trace::detail
