#include "labs/kit/run/registry.h"

#include <cstdlib>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace fiberscope::kit {

namespace {

bool asked_for() {
    const char* value = std::getenv("FIBERSCOPE_LIST_COROUTINES");
    return value != nullptr && std::string_view(value) == "1";
}

struct Nodes {
    std::mutex mutex;
    std::unordered_map<const Core*, RegistryNode> of;
};

// Never destroyed: threads may outlive main.
Nodes& nodes() {
    static auto* const all = new Nodes;
    return *all;
}

}  // namespace

// A debugger started in the tree's root loads the commands automatically, if its auto-load safe-path allows it.
#if __has_include("extras/gdb/fiberscope.py")  // missing in a student's tree
asm(R"(
    .pushsection ".debug_gdb_scripts", "MS", %progbits, 1
    .byte 1
    .asciz "extras/gdb/fiberscope.py"
    .popsection
)");
#endif

extern "C" {
Registry fiberscope_registry{asked_for(), nullptr};
}

void list_coroutine(Core& core) {
    Nodes& all = nodes();
    const std::lock_guard lock(all.mutex);
    RegistryNode& node = all.of[&core];
    node = {&core, fiberscope_registry.first, nullptr};
    if (node.next != nullptr) node.next->previous = &node;
    fiberscope_registry.first = &node;
}

void unlist_coroutine(Core& core) noexcept {
    Nodes& all = nodes();
    const std::lock_guard lock(all.mutex);
    const auto found = all.of.find(&core);
    if (found == all.of.end()) return;
    const RegistryNode& node = found->second;
    (node.previous != nullptr ? node.previous->next : fiberscope_registry.first) = node.next;
    if (node.next != nullptr) node.next->previous = node.previous;
    all.of.erase(found);
}

}  // namespace fiberscope::kit
