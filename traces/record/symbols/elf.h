// Names of functions, read from the symbol table of an ELF file: the dynamic linker knows only exported ones, and a
// lab's coroutine functions are static.
//
// elfutils' libdw could read the table too, and is not used. A signal handler that meets a code address for the first
// time, after a crash, must name it: with a few hundred bytes of stack to spare, without memory and without locks,
// from a file that was mapped before. libdw allocates and locks, so the 91 lines of elf.cpp would stay beside it for
// the crash path; the other path uses the same lines. names.cpp would stay as well, because libdw does not demangle.
// In return every program that records would load libdw, libelf, libz, liblzma and libbz2 (1.1 MB, about 0.9 MB
// resident at the first name) or could not be linked statically (libdw.a calls dlopen), and the build for aarch64
// would need the package of that architecture. A cold first name takes libdw 0.7 to 3.5 ms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "traces/record/text.h"

namespace fiberscope::trace::detail::elf {

/// A function's mangled name, which lives as long as the image; empty if none was found.
struct Symbol {
    std::string_view name;
    std::uint64_t begin = 0;  ///< as linked, that is, before relocation
};

/// An ELF file, mapped for reading as long as the process lives.
class Image {
  public:
    /// A file that is no 64-bit ELF file has no symbols.
    explicit Image(const char* file) noexcept;

    /// The function that holds the byte at `address` (as linked), else the nearest before it. Async-signal-safe.
    Symbol symbol_at(std::uint64_t address) const noexcept;

  private:
    template <class T>
    bool read(std::uint64_t offset, T& object) const noexcept;
    bool find_tables() noexcept;

    std::string_view bytes_;
    std::string_view symbols_;  ///< the symbol table
    std::string_view strings_;  ///< the names it points to
};

/// The readable name of a mangled one, without parameters; the name itself if it is not mangled. Allocates, and takes
/// much stack.
std::string demangled(const std::string& name);

/// The same for a signal handler: namespaces, classes and functions are written out, anything harder as it is.
void put_demangled(Text& out, std::string_view name) noexcept;

/// A demangled name without its parameters, return type and clone suffix.
std::string_view without_parameters(std::string_view demangled) noexcept;

}  // namespace fiberscope::trace::detail::elf
