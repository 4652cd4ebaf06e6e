#include "traces/record/sets.h"

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <string>

#include "traces/record/buffer.h"
#include "traces/record/text.h"

namespace fiberscope::trace::detail::sets {
namespace {

constexpr std::uint32_t kMostSets = 1U << 16U;

/// All allocated memory; never freed, since a trace may end after static objects have been destroyed.
struct Names {
    std::mutex mutex;
    std::map<std::string, std::uint32_t, std::less<>> uses;  ///< number of declarations by name
    std::deque<std::string> escaped;
};
Names& names() {
    static auto* all = new Names;
    return *all;
}

std::array<std::atomic<const std::string*>, kMostSets> g_names;
std::atomic<std::uint32_t> g_count{0};

std::string escape(std::string_view name) {
    std::string memory(6 * name.size(), '\0');
    Text text(memory.data(), memory.size());
    text.escaped(name);
    memory.resize(text.size());
    return memory;
}

// "ready", then "ready (2)", "ready (3)", skipping names that were declared as such.
std::string unique(Names& all, std::string_view name) {
    const std::string wanted(utf8_prefix(name, kMostName));
    std::string result = wanted;
    for (auto [it, first] = all.uses.try_emplace(wanted, 1U); !first;) {
        result = wanted + " (" + std::to_string(++it->second) + ")";
        first = all.uses.try_emplace(result, 1U).second;
    }
    return result;
}

}  // namespace

std::uint32_t add(std::string_view name) noexcept {
    Names& all = names();
    const std::lock_guard guard(all.mutex);
    const std::uint32_t index = g_count.load(std::memory_order_relaxed);
    if (index == kMostSets) return kNone;
    all.escaped.push_back(escape(unique(all, name)));
    g_names[index].store(&all.escaped.back(), std::memory_order_release);
    g_count.store(index + 1, std::memory_order_release);
    return index;
}

std::string_view escaped_name(std::uint32_t set) noexcept {
    if (set >= g_count.load(std::memory_order_acquire)) return "undeclared set";
    return *g_names[set].load(std::memory_order_acquire);
}

void clear() noexcept {
    Names& all = names();
    const std::lock_guard guard(all.mutex);
    g_count.store(0, std::memory_order_release);
    all.uses.clear();
    all.escaped.clear();
}

void hold() noexcept { names().mutex.lock(); }
void release() noexcept { names().mutex.unlock(); }

}  // namespace fiberscope::trace::detail::sets
