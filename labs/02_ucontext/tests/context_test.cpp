// Step 2.1: contexts without coroutines.
#include <signal.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "labs/02_ucontext/jump.h"
#include "labs/02_ucontext/tests/raw.h"
#include "labs/kit/fault/expected.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab02;
using kit::State;
using trace::Why;

namespace {

struct Seen {
    kit::Core* back = nullptr;
    std::uintptr_t frame = 0;
};

void look_and_go_back(void* argument) {
    auto& seen = *static_cast<Seen*>(argument);
    seen.frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    swap_to(*seen.back);
    std::abort();
}

// Memory at an address in which both halves are nonzero.
struct HighPage {
    static constexpr std::size_t kSize = 4096;
    void* memory = mmap(reinterpret_cast<void*>(std::uintptr_t{0x1234'8765'0000}), kSize, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ~HighPage() { munmap(memory, kSize); }
};

// Two bare contexts, without the kit.
Context origin, away;
const void* arrived;

void tell_argument(void* argument) {
    arrived = argument;
    origin.swap_to_me(&away);
}

}  // namespace

TEST_CASE("2.1 the argument arrives whole, although makecontext passes only ints") {
    EXPECTS(
        "a pointer has 64 bits and an int 32: pass the upper and the lower half, and join them as unsigned numbers");
    alignas(16) static std::byte stack[256 * 1024];
    HighPage page;
    {
        INFO("the system gives the test no page at a high address; your code is not at fault");
        REQUIRE(page.memory != MAP_FAILED);
    }
    away.make(stack, sizeof stack, tell_argument, page.memory);
    away.swap_to_me(&origin);
    CHECK(arrived == page.memory);
    void* const number = reinterpret_cast<void*>(std::uintptr_t{0xfedc'ba98'8765'4321});  // NOLINT: no address
    away.make(stack, sizeof stack, tell_argument, number);
    away.swap_to_me(&origin);
    CHECK(arrived == number);
}

namespace {

void tell_other_argument(void* argument) {
    arrived = static_cast<std::byte*>(argument) + 1;
    origin.swap_to_me(&away);
}

}  // namespace

TEST_CASE("2.1 each context calls its own entry with its own argument, whichever was made first") {
    INFO(
        "entry and argument belong to one context: pass them by makecontext, and do not store them in shared "
        "variables");
    static std::byte stacks[2][64 * 1024];
    std::byte first{}, second{};
    Context other;
    away.make(stacks[0], sizeof stacks[0], tell_argument, &first);
    other.make(stacks[1], sizeof stacks[1], tell_other_argument, &second);
    away.swap_to_me(&origin);
    CHECK(arrived == &first);
    other.swap_to_me(&origin);
    CHECK(arrived == &second + 1);
}

TEST_CASE("2.1 the function runs at the top of the given stack") {
    Seen seen{&main_context()};
    RawContext visitor("visitor", look_and_go_back, &seen);
    swap_to(visitor, Why::start);
    INFO("uc_stack.ss_sp is the lowest address of the stack, ss_size its length in bytes");
    REQUIRE(visitor.stack().contains(seen.frame));
    CHECK(reinterpret_cast<std::uintptr_t>(visitor.stack().top()) - seen.frame < 16 * 1024);
}

namespace {

struct Frame {
    Context* back;
    std::uintptr_t at = 0;
};
void note_frame(void* argument) {
    auto& frame = *static_cast<Frame*>(argument);
    frame.at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    frame.back->swap_to_me(nullptr);
}

}  // namespace

TEST_CASE("2.1 the function begins at the top of the stack, even if its size is not a multiple of the page size") {
    INFO("ss_size is the size exactly as given: rounding it down wastes memory, and makes a small stack useless");
    alignas(16) static std::byte stack[40'000];
    Context back, other;
    Frame frame{&back};
    other.make(stack, sizeof stack, note_frame, &frame);
    other.swap_to_me(&back);
    CHECK(reinterpret_cast<std::uintptr_t>(stack + sizeof stack) - frame.at < 1024);
}

TEST_CASE("2.1 making a context writes nothing outside a stack of any size") {
    INFO("ss_sp is the lowest address and ss_size the size: nothing outside is written");
    constexpr std::size_t kMargin = 64;
    for (std::size_t extra = 0; extra < 32; ++extra) {
        const std::size_t size = 4096 + extra;
        std::vector<std::byte> bytes(size + 2 * kMargin, std::byte{0xa5});
        Context context;
        context.make(bytes.data() + kMargin, size, look_and_go_back, nullptr);
        bool intact = true;
        for (std::size_t i = 0; i < kMargin; ++i)
            intact = intact && bytes[i] == std::byte{0xa5} && bytes[bytes.size() - 1 - i] == std::byte{0xa5};
        REQUIRE(intact);
    }
}

namespace {

struct PingPong {
    kit::Core* partner[2] = {};
    std::vector<int> order;
    kit::Core* back = nullptr;
};

template <int Me>
void play(void* argument) {
    auto& game = *static_cast<PingPong*>(argument);
    for (int i = 0; i < 50; ++i) {
        game.order.push_back(Me);
        swap_to(*game.partner[1 - Me], i == 0 && Me == 0 ? Why::start : Why::swap);
    }
    swap_to(*game.back);
    std::abort();
}

}  // namespace

TEST_CASE("2.1 two contexts swap with each other, symmetrically") {
    EXPECTS(
        "swapcontext saves the old context and enters the new one, which make has filled in by getcontext, with the "
        "lowest address and the size of the stack, and with both halves of each pointer");
    PingPong game;
    game.back = &main_context();
    RawContext ping("ping", play<0>, &game), pong("pong", play<1>, &game);
    game.partner[0] = &ping;
    game.partner[1] = &pong;
    swap_to(ping, Why::start);
    REQUIRE(game.order.size() == 100);
    for (std::size_t i = 0; i < game.order.size(); ++i) REQUIRE(game.order[i] == static_cast<int>(i % 2));
}

namespace {

/// While SIGUSR2 is blocked.
template <class Act>
void with_blocked_signal(Act act) {
    sigset_t block, before;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &block, &before);
    act();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

TEST_CASE("2.1 make_here saves the current state of the thread") {
    Context here;
    with_blocked_signal([&] { here.make_here(); });
    INFO("getcontext saves the signal mask too");
    CHECK(sigismember(&here.raw().uc_sigmask, SIGUSR2) == 1);
#if defined(__x86_64__)
    const auto saved = static_cast<std::uintptr_t>(here.raw().uc_mcontext.gregs[REG_RSP]);
#else
    const auto saved = static_cast<std::uintptr_t>(here.raw().uc_mcontext.sp);
#endif
    CHECK(main_context().stack().contains(saved));
    here.make_here();
    INFO("fill the context at every call, not only at the first: the current state is saved");
    CHECK(sigismember(&here.raw().uc_sigmask, SIGUSR2) == 0);
}

TEST_CASE("2.1 make saves the signal mask of its caller at each call") {
    static std::byte stack[64 * 1024];
    Context made;
    with_blocked_signal([&] { made.make(stack, sizeof stack, look_and_go_back, nullptr); });
    INFO(
        "the mask of a new context is the one that getcontext saves: call it in every make, and do not change "
        "uc_sigmask");
    CHECK(sigismember(&made.raw().uc_sigmask, SIGUSR2) == 1);
    made.make(stack, sizeof stack, look_and_go_back, nullptr);
    CHECK(sigismember(&made.raw().uc_sigmask, SIGUSR2) == 0);
}

namespace {

/// Whether the pointers in the context, if any, point into the context itself.
bool points_into_itself([[maybe_unused]] const Context& context) {
#if defined(__x86_64__)
    const ucontext_t& raw = context.raw();
    return static_cast<const void*>(raw.uc_mcontext.fpregs) == &raw.__fpregs_mem;
#else
    return true;
#endif
}

}  // namespace

TEST_CASE("2.1 a context is filled in place: a copy would point into the original") {
    static std::byte stack[64 * 1024];
    INFO("call getcontext on context_ itself: fpregs points into its own struct, and in a copy to the original");
    Context here, made;
    here.make_here();
    CHECK(points_into_itself(here));
    made.make(stack, sizeof stack, look_and_go_back, nullptr);
    CHECK(points_into_itself(made));
    CHECK(made.raw().uc_stack.ss_sp == stack);
}

TEST_CASE("2.1 a context that is made again begins on the new stack") {
    INFO("set ss_sp and ss_size in every make: the stack of an earlier make is no longer used");
    alignas(16) static std::byte stacks[2][32 * 1024];
    Context back, other;
    Frame frame{&back};
    other.make(stacks[0], sizeof stacks[0] / 2, note_frame, &frame);
    other.make(stacks[1], sizeof stacks[1], note_frame, &frame);
    other.swap_to_me(&back);
    CHECK(reinterpret_cast<std::uintptr_t>(stacks[1] + sizeof stacks[1]) - frame.at < 1024);
}

TEST_CASE("2.1 a swap of a context to itself saves the caller too, and returns") {
    INFO("swap_to_me saves the caller in any `old`: swapcontext saves first and then loads");
    Context here;
    here.make_here();
    CHECK(sigismember(&here.raw().uc_sigmask, SIGUSR2) == 0);
    with_blocked_signal([&] { here.swap_to_me(&here); });
    CHECK(sigismember(&here.raw().uc_sigmask, SIGUSR2) == 1);
}

namespace {

// A context whose signal mask is on an unreadable page, so that the kernel refuses the mask and the switch fails before
// any register has been loaded.
struct Unreadable {
    static constexpr std::size_t kPage = 4096 * 16;
    std::byte* memory =
        static_cast<std::byte*>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    Context* context = reinterpret_cast<Context*>(memory + kPage - offsetof(ucontext_t, uc_sigmask));

    Unreadable() { mprotect(memory + kPage, kPage, PROT_NONE); }
    ~Unreadable() { munmap(memory, 2 * kPage); }
};

// glibc's swapcontext (2.36 on x86_64) returns from a failure with r12 changed. The clobber makes this function
// preserve it for its caller.
[[gnu::noinline]] std::error_code error_of_swap(Context& next, Context* old, std::string& words) {
#if defined(__x86_64__)
    asm volatile("" ::: "r12");
#endif
    try {
        next.swap_to_me(old);
    } catch (const std::system_error& error) {
        words = error.what();
        return error.code();
    }
    return {};
}

void check_refusal(const Unreadable& broken, Context* old, const char* call) {
    EXPECTS("swapcontext returns -1 and sets errno when it fails; setcontext returns only then: throw after both");
    std::string words;
    const std::error_code error = error_of_swap(*broken.context, old, words);
    REQUIRE(error);
    {
        INFO("the code of the error is errno, as set by the failed call");
        CHECK(error == std::errc::bad_address);
    }
    INFO("the error names the failed call, swapcontext or setcontext");
    CHECK(words.find(call) != std::string::npos);
}

}  // namespace

TEST_CASE("2.1 entering an invalid context throws std::system_error, with and without an old one") {
    Unreadable broken;
#if defined(__x86_64__)  // on aarch64 glibc's swapcontext (2.36) crashes when it fails
    Context old;
    check_refusal(broken, &old, "swapcontext");
#endif
    check_refusal(broken, nullptr, "setcontext");
}
