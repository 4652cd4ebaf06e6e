// A buffer may fill on a coroutine's stack, which may be small.
#include <ucontext.h>

#include <algorithm>
#include <array>

#include "testing/catch.h"
#include "testing/sanitized.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

// Sanitizers and unoptimized code have larger frames, and sanitizers do not support a bare ucontext.
#if !defined(FIBERSCOPE_SANITIZED) && defined(__OPTIMIZE__)

namespace {

constexpr std::size_t kStack = 64 * 1024;
constexpr char kPaint = '\x5a';
ucontext_t g_main;
ucontext_t g_coroutine;
std::vector<char> g_stack;

/// Fills buffers with switches whose code addresses are all new.
void fill_buffers() {
    CausalStamp a;
    CausalStamp b;
    std::array<std::uint64_t, 4> values{};
    const auto code = reinterpret_cast<std::uintptr_t>(&fill_buffers);
    for (std::uint64_t i = 0; i < 2'000; ++i) {
        for (std::uint64_t r = 0; r < values.size(); ++r) values[r] = code + i / 50 + r;
        record_switch(i, switch_event(0, 1, Why::resume, State::normal), a, b, "reason", {values, 0, 0},
                      {values, 0, 0});
    }
}

/// Bytes of stack that fill_buffers() uses, measured by painting the stack.
std::size_t stack_use() {
    g_stack.assign(kStack, kPaint);
    ::getcontext(&g_coroutine);
    g_coroutine.uc_stack.ss_sp = g_stack.data();
    g_coroutine.uc_stack.ss_size = g_stack.size();
    g_coroutine.uc_link = &g_main;
    ::makecontext(&g_coroutine, fill_buffers, 0);
    ::swapcontext(&g_main, &g_coroutine);
    const auto deepest = std::find_if(g_stack.begin(), g_stack.end(), [](char c) { return c != kPaint; });
    return static_cast<std::size_t>(g_stack.end() - deepest);
}

}  // namespace

TEST_CASE("a buffer that fills on a coroutine's stack uses little of it, even if names must be resolved") {
    std::size_t used = 0;
    CHECK(recorded_events([&] { used = stack_use(); }).size() == 2'000);
    INFO("bytes of stack used: " << used);
    CHECK(used > 0);
    CHECK(used <= 3 * 1024);  // 2 KiB, plus the test's own frames
}

#endif
