// Names of functions, read from the symbol table of an ELF file: the dynamic linker knows only exported ones, and a
// lab's coroutine functions are static.
//
// libdw of elfutils is not used, although it could read the table too: after a crash a signal handler must name code
// addresses that it meets for the first time, with a few hundred bytes of stack, without allocating or locking, from a
// file that was mapped before. libdw allocates and locks, so elf.cpp would be needed for the crash path anyway, and
// names.cpp too, because libdw does not demangle. Every program that records would load libdw, libelf, libz, liblzma
// and libbz2 (1.1 MB, about 0.9 MB resident at the first name) or could not be linked statically (libdw.a calls
// dlopen), and the build for aarch64 would need that architecture's package. libdw takes 0.7 to 3.5 ms for the first
// name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/record/text.h"

namespace fiberscope::trace::detail::elf {

/// A function's mangled name, valid as long as the image; empty if none was found.
struct Symbol {
    std::string_view name;
    std::uint64_t begin = 0;  ///< as linked, that is, before relocation
};

/// An ELF file, mapped for reading as long as the process lives.
class Image {
  public:
    /// A file that is not a 64-bit ELF file has no symbols.
    explicit Image(const char* file) noexcept;

    /// Returns the function that contains `address` (as linked), else the nearest one before it. Async-signal-safe.
    Symbol symbol_at(std::uint64_t address) const noexcept;

  private:
    template <class T>
    bool read(std::uint64_t offset, T& object) const noexcept;
    bool find_tables() noexcept;

    std::string_view bytes_;
    std::string_view symbols_;  ///< the symbol table
    std::string_view strings_;  ///< the names it points to
};

/// The demangled form of a name, without parameters; the name itself if it is not mangled. Allocates, and uses much
/// stack.
std::string demangled(const std::string& name);

/// The async-signal-safe version: demangles namespaces, classes and functions, and copies anything harder unchanged.
void put_demangled(Text& out, std::string_view name) noexcept;

/// A demangled name without its parameters, return type and clone suffix.
std::string_view without_parameters(std::string_view demangled) noexcept;

}  // namespace fiberscope::trace::detail::elf
