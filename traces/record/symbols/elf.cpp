#include "traces/record/symbols/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "traces/record/sys.h"

namespace fiberscope::trace::detail::elf {
namespace {

std::string_view map_file(const char* file) noexcept {
    const auto fd = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, file, O_RDONLY | O_CLOEXEC));
    if (fd < 0) return {};
    const std::int64_t size = sys::size(fd);
    const auto length = static_cast<std::size_t>(size > 0 ? size : 0);
    void* memory = length == 0 ? MAP_FAILED : ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, fd, 0);
    sys::close(fd);
    return memory == MAP_FAILED ? std::string_view{} : std::string_view(static_cast<const char*>(memory), length);
}

std::string_view part(std::string_view bytes, std::uint64_t offset, std::uint64_t size) noexcept {
    if (offset > bytes.size() || size > bytes.size() - offset) return {};
    return bytes.substr(offset, size);
}

/// The best candidate so far: a function that contains the address beats one that only begins before it.
struct Best {
    Elf64_Sym symbol{};
    bool holds = false;

    // Assembly may omit the size of a label, and a noreturn call may be the last instruction of a function.
    void offer(const Elf64_Sym& candidate, std::uint64_t address) noexcept {
        const auto type = ELF64_ST_TYPE(candidate.st_info);
        if (type != STT_FUNC && type != STT_NOTYPE) return;
        if (candidate.st_shndx == SHN_UNDEF || candidate.st_name == 0 || candidate.st_value > address) return;
        const bool candidate_holds = address - candidate.st_value < candidate.st_size;
        if (holds && !candidate_holds) return;
        if (holds == candidate_holds && symbol.st_name != 0 && candidate.st_value <= symbol.st_value) return;
        symbol = candidate;
        holds = candidate_holds;
    }
};

}  // namespace

Image::Image(const char* file) noexcept : bytes_(map_file(file)) { find_tables(); }

template <class T>
bool Image::read(std::uint64_t offset, T& object) const noexcept {
    const std::string_view found = part(bytes_, offset, sizeof(T));
    if (found.empty()) return false;
    std::memcpy(&object, found.data(), sizeof(T));
    return true;
}

// The full table comes before the dynamic one, which a stripped file still has.
bool Image::find_tables() noexcept {
    Elf64_Ehdr head{};
    if (!read(0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (const std::uint32_t type : {std::uint32_t{SHT_SYMTAB}, std::uint32_t{SHT_DYNSYM}})
        for (std::uint64_t i = 0; i < head.e_shnum; ++i) {
            Elf64_Shdr section{};
            Elf64_Shdr names{};
            if (!read(head.e_shoff + i * sizeof section, section) || section.sh_type != type) continue;
            if (!read(head.e_shoff + section.sh_link * sizeof names, names)) continue;
            symbols_ = part(bytes_, section.sh_offset, section.sh_size);
            strings_ = part(bytes_, names.sh_offset, names.sh_size);
            return true;
        }
    return false;
}

Symbol Image::symbol_at(std::uint64_t address) const noexcept {
    Best best;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols_.size(); at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        std::memcpy(&symbol, symbols_.data() + at, sizeof symbol);
        best.offer(symbol, address);
    }
    if (best.symbol.st_name == 0 || best.symbol.st_name >= strings_.size()) return {};
    const std::string_view rest = strings_.substr(best.symbol.st_name);
    return {rest.substr(0, rest.find('\0')), best.symbol.st_value};
}

}  // namespace fiberscope::trace::detail::elf
