#include "traces/record/registers.h"

#include <algorithm>

#include "traces/record/symbols/symbols.h"
#include "traces/record/sys.h"

namespace fiberscope::trace::detail {
namespace {

#if defined(__x86_64__)
constexpr auto kNames = std::span(kRegistersX86_64);
constexpr std::size_t kGeneral = 8;  // the rest are control words, never addresses
constexpr std::uintptr_t kAddressEnd = 1ULL << 47U;
constexpr std::uintptr_t kProgramsBegin = 0x5500'0000'0000;
#elif defined(__aarch64__)
constexpr auto kNames = std::span(kRegistersAarch64);
constexpr std::size_t kGeneral = 13;  // the rest are halves of vector registers
constexpr std::uintptr_t kAddressEnd = 1ULL << 48U;
constexpr std::uintptr_t kProgramsBegin = 0xaaaa'0000'0000;
#else
#error "the recorder knows the registers of x86_64 and aarch64"
#endif

constexpr std::uintptr_t kAddressBegin = 0x10000;  // vm.mmap_min_addr

bool in_stack(std::uint64_t value, const RegisterBlock::Stack& stack) noexcept {
    return stack.top != 0 && value <= stack.top && stack.top - value <= stack.size;
}

void put_set(Text& out, std::span<const std::uint64_t> values, const RegisterBlock::Stack& stack,
             AddressWords& words) noexcept {
    out.put('{');
    for (std::size_t i = 0; i < values.size() && i < kNames.size(); ++i) {
        out.put(i == 0 ? "\"" : ",\"");
        out.put(kNames[i]);
        out.put("\":\"");
        if (i < kGeneral)
            words.put(out, values[i], stack);
        else
            out.hex(values[i]);
        out.put('"');
    }
    out.put('}');
}

/// Appends a value that is a code address without a resolved name to the collected ones. Returns false if there is no
/// room.
bool collect(std::uint64_t value, Scratch& scratch, std::size_t& count) noexcept {
    if (value < kAddressBegin || symbols::place(value) != symbols::Place::code) return true;
    if (symbols::is_resolved(value)) return true;
    const auto end = scratch.unresolved.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(scratch.unresolved.begin(), end, value) != end) return true;
    if (count == scratch.unresolved.size()) return false;
    scratch.unresolved[count++] = value;
    return true;
}

bool collect_all(const RegisterBlock& block, Scratch& scratch, std::size_t& count) noexcept {
    const std::uint32_t first_loaded = block.saved_count;
    for (std::uint32_t i = 0; i < block.saved_count + block.loaded_count; ++i) {
        const std::uint32_t index = i < first_loaded ? i : i - first_loaded;
        if (index < kGeneral && !collect(block.values[i], scratch, count)) return false;
    }
    return true;
}

}  // namespace

AddressWords::AddressWords(PageCache& pages) noexcept : pages_(pages) { pages_ = PageCache{}; }

bool AddressWords::mapped(std::uintptr_t address) noexcept {
    const std::uintptr_t page = address & ~(kPage - 1);
    PageCache::Entry& entry = pages_.entries[(page / kPage) % pages_.entries.size()];
    if (entry.page != page) entry = {page, sys::is_mapped(page)};
    return entry.mapped;
}

void AddressWords::put(Text& out, std::uint64_t value, const RegisterBlock::Stack& stack) noexcept {
    if (in_stack(value, stack)) {
        out.put("top-");
        return out.hex(stack.top - value);
    }
    if (value < kAddressBegin || value >= kAddressEnd) return out.hex(value);
    switch (symbols::place(value)) {
    case symbols::Place::code: return symbols::put(out, value);
    case symbols::Place::data: return out.put("data");
    case symbols::Place::elsewhere: break;
    }
    if (value >= kProgramsBegin || mapped(value)) return out.put("memory");
    out.hex(value);
}

void put_registers(Text& out, const RegisterBlock& registers, AddressWords& words) noexcept {
    const std::span all(registers.values.data(), registers.saved_count + registers.loaded_count);
    if (registers.saved_count != 0) {
        out.put(",\"saved\":");
        put_set(out, all.first(registers.saved_count), registers.saved, words);
    }
    if (registers.loaded_count != 0) {
        out.put(",\"loaded\":");
        put_set(out, all.subspan(registers.saved_count), registers.loaded, words);
    }
}

std::size_t unresolved_codes(ThreadBuffer& buffer, std::uint32_t upto, Scratch& scratch) noexcept {
    std::size_t count = 0;
    for (std::uint32_t slot = 0; slot < upto;) {
        const Stored stored = Stored::at(buffer, slot);
        slot += stored.slots;
        if (stored.registers != nullptr && !collect_all(*stored.registers, scratch, count)) break;
    }
    return count;
}

}  // namespace fiberscope::trace::detail
