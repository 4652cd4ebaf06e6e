// Steps 1.4 and 1.5: coroutines of a scheduler, and ends where no resume is possible.
#include <memory>
#include <string>
#include <thread>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/memory/stack.h"
#include "labs/kit/run/backend.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/testing/child.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab01;

TEST_CASE("1.5 a suspended coroutine may be destroyed on a thread that has had no coroutine yet") {
    EXPECTS("the destructor gets the state of its thread by this_thread(), which creates it if there is none");
    bool unwound = false;
    auto suspended = std::make_unique<Coroutine>([&] {
        struct Says {
            bool& said;
            ~Says() { said = true; }
        } const local{unwound};
        yield();
    });
    suspended->resume();
    std::thread([&] { suspended.reset(); }).join();
    CHECK(unwound);
}

namespace {

/// A coroutine in a thread-local variable that is constructed before all thread-locals of the kit.
struct KeptByThread {
    std::unique_ptr<Coroutine> coroutine;
    static KeptByThread& here() {
        thread_local KeptByThread kept;
        return kept;
    }
};

/// Records in its destructor whether the context of a thread unwinds it.
struct SaysWhoUnwinds {
    bool& by_a_thread;
    ~SaysWhoUnwinds() { by_a_thread = kit::this_thread().own->name().starts_with("thread "); }
};

}  // namespace

TEST_CASE("1.5 a suspended thread-local coroutine is unwound when the thread ends, and its stack is released") {
    INFO("a thread-local variable may be destroyed after those of the kit");
    const auto end_a_thread = [] {
        kit::this_thread();
        const std::size_t before = kit::stacks_in_use();
        bool by_a_thread = false;
        std::thread([&] {
            KeptByThread& kept = KeptByThread::here();
            kept.coroutine = std::make_unique<Coroutine>([&] {
                const SaysWhoUnwinds local{by_a_thread};
                yield();
            });
            kept.coroutine->resume();
        }).join();
        return std::string(by_a_thread ? "unwound" : "not unwound") + (kit::stacks_in_use() == before ? "" : ", lost");
    };
    CHECK(kit::answered_by_child(end_a_thread, "unwound"));
}

TEST_CASE("1.5 a coroutine unwound by a scheduler has released its stack, although the object still exists") {
    Coroutine co([] { yield(); });
    co.resume();
    const std::size_t before = kit::stacks_in_use();
    kit::asm_backend.unwind(co);
    INFO(
        "unwind ends with release_stack(): a scheduler unwinds its tasks when it ends, while a handle may keep the "
        "object");
    CHECK(kit::stacks_in_use() == before - 1);
    CHECK(co.done());
}
