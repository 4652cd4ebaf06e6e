#include "traces/record/symbols/symbols.h"

#include <link.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "traces/record/buffer.h"
#include "traces/record/symbols/elf.h"

namespace fiberscope::trace::detail::symbols {
namespace {

/// A loaded segment of the program or of a library.
struct Segment {
    std::uintptr_t begin, end;
    std::uint32_t module;
    bool code;
};

struct Module {
    std::uintptr_t base;
    std::string name;  ///< name used for an address without a symbol
    elf::Image image;
};

/// Never freed: a signal handler may use it after static objects have been destroyed.
struct Modules {
    std::vector<Segment> segments;  ///< in order of addresses
    std::vector<Module> modules;
};
std::atomic<const Modules*> g_modules{nullptr};

int add_module(dl_phdr_info* info, std::size_t, void* out) {
    auto& all = *static_cast<Modules*>(out);
    const auto index = static_cast<std::uint32_t>(all.modules.size());
    const std::string file = index == 0 ? "/proc/self/exe" : info->dlpi_name;
    const std::string name = index == 0 ? "program" : file.substr(file.rfind('/') + 1);
    all.modules.push_back({info->dlpi_addr, name, elf::Image(file.c_str())});
    for (std::size_t i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type != PT_LOAD) continue;
        const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
        all.segments.push_back({begin, begin + header.p_memsz, index, (header.p_flags & PF_X) != 0});
    }
    return 0;
}

const Segment* segment_of(std::uintptr_t address) noexcept {
    const Modules* all = g_modules.load(std::memory_order_acquire);
    if (all == nullptr) return nullptr;
    const auto after = std::upper_bound(all->segments.begin(), all->segments.end(), address,
                                        [](std::uintptr_t a, const Segment& s) { return a < s.begin; });
    if (after == all->segments.begin()) return nullptr;
    const Segment& segment = *std::prev(after);
    return address < segment.end ? &segment : nullptr;
}

/// Resolved text by address. Open addressing; append-only, with one writer at a time.
struct Entry {
    std::atomic<std::uintptr_t> address{0};
    const std::string* words = nullptr;  ///< set before the address
};
constexpr std::size_t kEntries = 4096;
std::array<Entry, kEntries> g_entries;
pthread_mutex_t g_adding = PTHREAD_MUTEX_INITIALIZER;

/// The entry of an address, or the free entry where it belongs; nullptr if the table is full.
Entry* entry_of(std::uintptr_t address) noexcept {
    const std::size_t home = (address * 0x9e3779b97f4a7c15U) >> 52U;
    for (std::size_t i = 0; i < kEntries; ++i) {
        Entry& entry = g_entries[(home + i) % kEntries];
        const std::uintptr_t held = entry.address.load(std::memory_order_acquire);
        if (held == address || held == 0) return &entry;
    }
    return nullptr;
}

/// A code address split into module, symbol and offset; the symbol's name is empty if its module has none there.
struct Location {
    const Module* module = nullptr;
    elf::Symbol symbol;
    std::uintptr_t offset = 0;  ///< from the symbol, or from the module's base
};

Location locate(std::uintptr_t code) noexcept {
    const Segment* segment = segment_of(code);
    if (segment == nullptr) return {};
    const Module& module = g_modules.load(std::memory_order_acquire)->modules[segment->module];
    const std::uintptr_t offset = code - module.base;
    const elf::Symbol symbol = module.image.symbol_at(offset);
    return {&module, symbol, symbol.name.empty() ? offset : offset - symbol.begin};
}

constexpr std::size_t kMostWords = kMostName / 2;

void put_offset(Text& out, std::uintptr_t offset) noexcept {
    out.put('+');
    out.hex(offset);
}

std::string in_words(std::uintptr_t code) {
    const Location at = locate(code);
    if (at.module == nullptr) return "code";
    const std::string name = at.symbol.name.empty() ? at.module->name : elf::demangled(std::string(at.symbol.name));
    std::array<char, 2 * kMostWords> memory;
    Text text(memory.data(), memory.size());
    text.escaped(utf8_prefix(name, kMostWords));
    put_offset(text, at.offset);
    return std::string(text.view());
}

void add(std::uintptr_t address) {
    Entry* entry = entry_of(address);
    if (entry == nullptr || entry->address.load(std::memory_order_relaxed) != 0) return;
    entry->words = new std::string(in_words(address));
    entry->address.store(address, std::memory_order_release);
}

void* add_all(void* argument) {
    pthread_mutex_lock(&g_adding);
    try {
        for (const std::uint64_t code : *static_cast<std::span<const std::uint64_t>*>(argument)) add(code);
    } catch (...) {  // out of memory: the address is written as "code"
    }
    pthread_mutex_unlock(&g_adding);
    return nullptr;
}

}  // namespace

void locate_modules() {
    if (g_modules.load(std::memory_order_acquire) != nullptr) return;
    auto all = std::make_unique<Modules>();
    dl_iterate_phdr(add_module, all.get());
    std::sort(all->segments.begin(), all->segments.end(),
              [](const Segment& a, const Segment& b) { return a.begin < b.begin; });
    g_modules.store(all.release(), std::memory_order_release);
}

Place place(std::uintptr_t address) noexcept {
    const Segment* segment = segment_of(address);
    if (segment == nullptr) return Place::elsewhere;
    return segment->code ? Place::code : Place::data;
}

namespace {

/// The resolved words of a code address, or nullptr.
const std::string* find(std::uintptr_t code) noexcept {
    const Entry* entry = entry_of(code);
    return entry != nullptr && entry->address.load(std::memory_order_acquire) == code ? entry->words : nullptr;
}

}  // namespace

bool is_resolved(std::uintptr_t code) noexcept { return find(code) != nullptr; }

void put(Text& out, std::uintptr_t code) noexcept {
    if (const std::string* words = find(code)) return out.put(*words);
    const Location at = locate(code);
    if (at.module == nullptr) return out.put("code");
    if (at.symbol.name.empty())
        out.put(at.module->name);
    else
        elf::put_demangled(out, at.symbol.name.substr(0, kMostWords));
    put_offset(out, at.offset);
}

void resolve(std::span<const std::uint64_t> codes) noexcept {
    constexpr std::size_t kStack = 256 * 1024;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, kStack);
    pthread_t thread{};
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);  // inherited: this thread must not handle the program's signals
    const bool created = pthread_create(&thread, &attributes, add_all, &codes) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    if (created) pthread_join(thread, nullptr);
}

std::string function_at(std::uintptr_t code) {
    const Location at = locate(code);
    if (at.module == nullptr) return "code";
    if (!at.symbol.name.empty() && at.offset == 0) return std::string(at.symbol.name);
    std::array<char, 32> memory;
    Text offset(memory.data(), memory.size());
    put_offset(offset, code - at.module->base);
    return at.module->name + std::string(offset.view());
}

void hold() noexcept { pthread_mutex_lock(&g_adding); }
void release() noexcept { pthread_mutex_unlock(&g_adding); }

}  // namespace fiberscope::trace::detail::symbols
