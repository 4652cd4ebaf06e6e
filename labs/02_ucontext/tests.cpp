// Steps 2.1 and 2.3: contexts without coroutines around them.
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "labs/02_ucontext/jump.h"
#include "labs/02_ucontext/system_calls.h"
#include "labs/kit/testing/child.h"
#include "testing/catch.h"
#include "traces/checker.h"
#include "traces/reader.h"

using namespace fiberscope;
using namespace fiberscope::lab02;
using kit::State;
using trace::Why;

namespace {

void swap_to(kit::Core& next, Why why = Why::swap) {
    switch_to(*kit::this_thread().current, next, {why, State::suspended});
}
kit::Core& main_context() { return *kit::this_thread().own; }

std::filesystem::path scratch(const char* name) {
    return std::filesystem::temp_directory_path() / ("fiberscope-" + std::to_string(getpid()) + "-" + name + ".json");
}

struct Seen {
    kit::Core* back = nullptr;
    const void* argument = nullptr;
    std::uintptr_t frame = 0;
};

void look_and_go_back(void* argument) {
    auto& seen = *static_cast<Seen*>(argument);
    seen.argument = argument;
    seen.frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    swap_to(*seen.back);
    std::abort();
}

// Memory at an address of which both halves are in use.
struct HighPage {
    static constexpr std::size_t kSize = 4096;
    void* memory = mmap(reinterpret_cast<void*>(std::uintptr_t{0x1234'8765'0000}), kSize, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ~HighPage() { munmap(memory, kSize); }
};

}  // namespace

TEST_CASE("2.1 the argument arrives whole, though makecontext passes only ints") {
    HighPage page;
    REQUIRE(page.memory != MAP_FAILED);
    REQUIRE(reinterpret_cast<std::uintptr_t>(page.memory) >> 32 != 0);
    auto& seen = *new (page.memory) Seen{&main_context()};
    RawContext visitor("visitor", look_and_go_back, &seen);
    swap_to(visitor, Why::start);
    INFO("a pointer has 64 bits and an int 32: pass the upper and the lower half, and join them without a sign");
    CHECK(seen.argument == page.memory);
}

TEST_CASE("2.1 the function runs on the stack that was given, at its top") {
    Seen seen{&main_context()};
    RawContext visitor("visitor", look_and_go_back, &seen);
    swap_to(visitor, Why::start);
    INFO("uc_stack.ss_sp is the lowest address of the stack, ss_size its length in bytes");
    REQUIRE(visitor.stack().contains(seen.frame));
    CHECK(reinterpret_cast<std::uintptr_t>(visitor.stack().top()) - seen.frame < 16 * 1024);
}

TEST_CASE("2.1 making a context writes nothing outside the stack, and the size may be any number") {
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

struct Alignment {
    kit::Core* back;
    std::uintptr_t misaligned_by = 1;
    char text[32] = {};
};

[[gnu::noinline]] void use_alignment(void* argument) {
    auto& seen = *static_cast<Alignment*>(argument);
    seen.misaligned_by = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 16;
    std::snprintf(seen.text, sizeof seen.text, "%.2f %.3Lf", 3.25, static_cast<long double>(1.5));
    swap_to(*seen.back);
    std::abort();
}

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

TEST_CASE("2.1 the stack is aligned at the entry") {
    Alignment seen{&main_context()};
    RawContext context("aligned", use_alignment, &seen);
    swap_to(context, Why::start);
    CHECK(seen.misaligned_by == 0);
    CHECK(std::string(seen.text) == "3.25 1.500");
}

TEST_CASE("2.1 two contexts swap with each other, symmetrically") {
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

struct TwoStops {
    kit::Core* home;
    RawContext* second = nullptr;
    std::string order;
};

}  // namespace

TEST_CASE("2.1 swap_to_me from nothing enters a context and saves nobody") {
    TwoStops stops{&main_context(), nullptr, {}};
    RawContext second(
        "second",
        [](void* argument) {
            auto& told = *static_cast<TwoStops*>(argument);
            told.order += "second ";
            swap_to(*told.home);
            std::abort();
        },
        &stops);
    stops.second = &second;
    RawContext first(
        "first",
        [](void* argument) {
            auto& told = *static_cast<TwoStops*>(argument);
            told.order += "first ";
            jump_to(*kit::this_thread().current, *told.second, {Why::jump, State::dead});
        },
        &stops);
    swap_to(first, Why::start);
    CHECK(stops.order == "first second ");
}

TEST_CASE("2.1 make_here fills in the thread as it is now") {
    sigset_t block, before;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &block, &before);
    Context here;
    here.make_here();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    INFO("getcontext saves the signal mask too");
    CHECK(sigismember(&here.raw().uc_sigmask, SIGUSR2) == 1);
#if defined(__x86_64__)
    const auto saved = static_cast<std::uintptr_t>(here.raw().uc_mcontext.gregs[REG_RSP]);
#else
    const auto saved = static_cast<std::uintptr_t>(here.raw().uc_mcontext.sp);
#endif
    CHECK(main_context().stack().contains(saved));
}

namespace {

// A context whose signal mask lies on a page that nobody may read: the kernel then refuses the mask, and with it the
// switch, before any register has been loaded.
struct Unreadable {
    static constexpr std::size_t kPage = 4096 * 16;
    std::byte* memory =
        static_cast<std::byte*>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    Context* context = reinterpret_cast<Context*>(memory + kPage - offsetof(ucontext_t, uc_sigmask));

    Unreadable() { mprotect(memory + kPage, kPage, PROT_NONE); }
    ~Unreadable() { munmap(memory, 2 * kPage); }
};

// glibc's swapcontext (2.36 on x86_64 at least) comes back from a failure with another r12 than it was given. Naming it
// makes this function keep it for its caller.
[[gnu::noinline]] std::error_code error_of_swap(Context& next, Context* old) {
#if defined(__x86_64__)
    asm volatile("" ::: "r12");
#endif
    try {
        next.swap_to_me(old);
    } catch (const std::system_error& error) {
        return error.code();
    }
    return {};
}

}  // namespace

TEST_CASE("2.1 a context that cannot be entered is a std::system_error, with and without an old one") {
    Unreadable broken;
    Context old;
    INFO("swapcontext returns -1 and sets errno when it fails; setcontext returns only then");
    CHECK(error_of_swap(*broken.context, &old) == std::errc::bad_address);
    CHECK(error_of_swap(*broken.context, nullptr) == std::errc::bad_address);
}

// ---- 2.3 ---------------------------------------------------------------------------------------------------------------

TEST_CASE("2.3 the end of a function goes to the context that was given as after") {
    bool ran = false;
    RawContext worker(
        "worker", [](void* told) { *static_cast<bool*>(told) = true; }, &ran, &main_context());
    swap_to(worker, Why::start);
    CHECK(ran);
    CHECK(worker.state() == State::dead);
    CHECK(main_context().state() == State::running);
}

TEST_CASE("2.3 after need not be the context that entered it") {
    struct Told {
        std::string order;
        kit::Core* home;
        RawContext* inner = nullptr;
    } told{{}, &main_context()};
    RawContext inner(
        "inner", [](void* argument) { static_cast<Told*>(argument)->order += "inner "; }, &told, &main_context());
    told.inner = &inner;
    RawContext outer(
        "outer",
        [](void* argument) {
            auto& mine = *static_cast<Told*>(argument);
            mine.order += "outer ";
            swap_to(*mine.inner, Why::start);
            mine.order += "outer again ";
            swap_to(*mine.home);
            std::abort();
        },
        &told);
    swap_to(outer, Why::start);
    INFO("outer entered inner, but inner ends in main: uc_link was fixed when it was made");
    CHECK(told.order == "outer inner ");
    CHECK(outer.state() == State::suspended);
}

TEST_CASE("2.3 the way of uc_link stands in the trace") {
    const auto file = scratch("uc_link");
    const kit::ChildEnd end = kit::run_in_child(file, [] {
        RawContext worker(
            "worker", [](void*) {}, nullptr, &main_context());
        swap_to(worker, Why::start);
    });
    INFO("stderr: " << end.errors);
    REQUIRE(end.signal == 0);
    const trace::Trace recorded = trace::read(file);
    std::filesystem::remove(file);
    const auto broken = trace::check(recorded);
    INFO((broken ? broken->why : std::string()));
    CHECK_FALSE(broken.has_value());
    std::vector<std::string> whys;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::switch_) whys.emplace_back(word(recorded[i].first<Why>()));
    CHECK(whys == std::vector<std::string>{"start", "exit"});
}

namespace {

void end_with_nothing_after() {
    std::atexit([] { static_cast<void>(!write(STDERR_FILENO, "exit handlers ran", 17)); });
    RawContext last(
        "last", [](void*) {}, nullptr);
    swap_to(last, Why::start);
    _exit(42);  // never: nobody comes back here
}

}  // namespace

TEST_CASE("2.3 with nothing after it the end of a function ends the process, by exit(0)") {
    const auto file = scratch("no_link");
    const kit::ChildEnd end = kit::run_in_child(file, end_with_nothing_after);
    std::filesystem::remove(file);
    CHECK(end.signal == 0);
    CHECK(end.status == 0);
    CHECK(end.errors.find("exit handlers ran") != std::string::npos);
}

TEST_CASE("2.3 the same on a second thread ends the whole process in glibc, not the thread") {
    const auto file = scratch("no_link_thread");
    const kit::ChildEnd end = kit::run_in_child(file, [] {
        std::thread other(end_with_nothing_after);
        other.join();
        _exit(43);  // never: main does not outlive it
    });
    std::filesystem::remove(file);
    CHECK(end.signal == 0);
    CHECK(end.status == 0);
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

TEST_CASE("2.3 a new context has the signal mask of the one that made it") {
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

Context home, away;

void bounce(void*) {
    for (;;) home.swap_to_me(&away);
}

}  // namespace

TEST_CASE("2.3 every swap makes one system call, for the signal mask") {
    static std::byte stack[256 * 1024];
    const auto trips = [](std::uint64_t n) {
        return count_system_calls(SYS_rt_sigprocmask, [n] {
            away.make(stack, sizeof stack, bounce, nullptr);
            for (std::uint64_t i = 0; i < n; ++i) away.swap_to_me(&home);
        });
    };
    // Also when nothing can be counted here, the functions must be there.
    away.make(stack, sizeof stack, bounce, nullptr);
    away.swap_to_me(&home);
    const auto few = trips(10), more = trips(60);
    if (!few || !more) {
        WARN("this machine does not let a process be traced: nothing was counted");
        SUCCEED();
        return;
    }
    INFO("50 round trips more are 100 swaps more");
    CHECK(*more - *few == 100);
}
