// Step 2.3: uc_link and the signal mask.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "labs/02_ucontext/given/system_calls.h"
#include "labs/02_ucontext/jump.h"
#include "labs/02_ucontext/tests/raw.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab02;
using kit::State;
using trace::Why;

TEST_CASE("2.3 the end of a function goes to the context given as after") {
    EXPECTS("set uc_link before makecontext, and to `after` itself: control continues where `after` was last saved");
    bool ran = false;
    RawContext worker(
        "worker", [](void* told) { *static_cast<bool*>(told) = true; }, &ran, &main_context());
    swap_to(worker, Why::start);
    CHECK(ran);
    CHECK(worker.state() == State::dead);
    CHECK(main_context().state() == State::running);
}

TEST_CASE("2.3 a context that is made again has the new after") {
    INFO("make sets uc_link each time: to `after`, or to null");
    static std::byte stack[64 * 1024];
    Context home, made;
    made.make(
        stack, sizeof stack, [](void*) {}, nullptr, &home);
    CHECK(made.raw().uc_link == &home.raw());
    made.make(
        stack, sizeof stack, [](void*) {}, nullptr);
    INFO("without `after` uc_link is null, even if an earlier make has set it");
    CHECK(made.raw().uc_link == nullptr);
}

namespace {

bool blocked(int signal) {
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    return sigismember(&now, signal) == 1;
}

void block(int signal) {
    sigset_t more;
    sigemptyset(&more);
    sigaddset(&more, signal);
    pthread_sigmask(SIG_BLOCK, &more, nullptr);
}

struct Masks {
    kit::Core* back;
    std::vector<bool> inside;
};

}  // namespace

TEST_CASE("2.3 the signal mask travels with a context") {
    INFO("swapcontext saves the signal mask and loads the one of the other context: a mask belongs to its context");
    Masks masks{&main_context(), {}};
    RawContext careful(
        "careful",
        [](void* argument) {
            auto& mine = *static_cast<Masks*>(argument);
            mine.inside.push_back(blocked(SIGUSR1));
            block(SIGUSR1);
            swap_to(*mine.back);
            mine.inside.push_back(blocked(SIGUSR1));
        },
        &masks, &main_context());
    swap_to(careful, Why::start);
    const bool outside = blocked(SIGUSR1);
    swap_to(careful);
    const bool after_the_end = blocked(SIGUSR1);
    CHECK(masks.inside == std::vector<bool>{false, true});
    CHECK_FALSE(outside);
    CHECK_FALSE(after_the_end);
}

TEST_CASE("2.3 a new context has the signal mask of its creator") {
    EXPECTS("getcontext saves the mask of the caller of make, which must not change it");
    Masks masks{&main_context(), {}};
    block(SIGUSR1);
    RawContext child(
        "child", [](void* argument) { static_cast<Masks*>(argument)->inside.push_back(blocked(SIGUSR1)); }, &masks,
        &main_context());
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    swap_to(child, Why::start);
    CHECK(masks.inside == std::vector<bool>{true});
    CHECK_FALSE(blocked(SIGUSR1));
}

namespace {

Context origin, away;

}  // namespace
