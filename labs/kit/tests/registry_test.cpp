// The list of coroutines that a debugger traverses.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "labs/kit/run/core.h"
#include "labs/kit/run/registry.h"
#include "labs/kit/testing/child.h"
#include "testing/catch.h"

using namespace fiberscope;
using kit::RegistryNode;

namespace {

struct Listed : kit::Owner<int> {
    explicit Listed(const char* name)
        : Owner(trace::CoKind::task, trace::Backend::asm_, kit::Stack(kit::kDefaultStackSize), name) {}
};

/// "c b a", newest first; also checks the back links.
std::string listed() {
    std::string names;
    const RegistryNode* previous = nullptr;
    for (const RegistryNode* node = kit::fiberscope_registry.first; node != nullptr; node = node->next) {
        if (node->previous != previous) return "a node with a wrong back link";
        names += node->core->name() + " ";
        previous = node;
    }
    return names;
}

/// A description of an inconsistency while coroutines were created and destroyed in this order; empty if there is none.
std::string come_and_leave() {
    const std::vector<std::string> names{"a", "b", "c"};
    std::vector<std::size_t> order{0, 1, 2};
    kit::fiberscope_registry.enabled = true;
    do {
        std::vector<std::unique_ptr<Listed>> all;
        for (const std::string& name : names) all.push_back(std::make_unique<Listed>(name.c_str()));
        if (listed() != "c b a ") return "made: " + listed();
        for (const std::size_t leaves : order) {
            all[leaves].reset();
            std::string left;
            for (auto one = all.rbegin(); one != all.rend(); ++one)
                if (*one != nullptr) left += (*one)->name() + " ";
            if (listed() != left) return "left: " + left + "listed: " + listed();
        }
    } while (std::ranges::next_permutation(order).found);
    return {};
}

}  // namespace

TEST_CASE("coroutines leave the debugger's list in any order, and it stays consistent") {
    INFO("a debugger shows exactly the coroutines that are alive");
    // In a child: no trace can begin in a process after its first coroutine.
    CHECK(kit::answered_by_child(come_and_leave, ""));
}
