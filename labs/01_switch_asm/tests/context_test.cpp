// Step 1.1: make_context.
#include <sys/mman.h>

#include <array>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <vector>

#include "labs/01_switch_asm/context.h"
#include "labs/01_switch_asm/tests/raw.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/report/notes.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab01;

namespace {

std::uint64_t stack_pointer_of(const Context& context) {
#if defined(__x86_64__)
    return context.rsp;
#else
    return context.sp;
#endif
}
std::uint64_t frame_pointer_of(const Context& context) {
#if defined(__x86_64__)
    return context.rbp;
#else
    return context.fp;
#endif
}
std::uint64_t start_of(const Context& context) {
#if defined(__x86_64__)
    return context.rip;
#else
    return context.lr;
#endif
}
std::array<std::uint64_t, 2> entry_and_argument_of(const Context& context) {
#if defined(__x86_64__)
    return {context.r12, context.r13};
#else
    return {context.x19, context.x20};
#endif
}

/// The floating-point control words, which step 1.6 loads.
std::array<std::uint64_t, 2> float_words_of(const Context& context) {
#if defined(__x86_64__)
    return {context.mxcsr, context.x87cw};
#else
    return {context.fpcr, context.d8};
#endif
}

void entry_that_never_runs(void*) {}

// A stack in ordinary memory with marked bytes around it.
struct MarkedStack {
    static constexpr std::size_t kMargin = 64;
    std::vector<std::byte> bytes;
    std::size_t size;

    explicit MarkedStack(std::size_t n) : bytes(n + 2 * kMargin, std::byte{0xa5}), size(n) {}
    std::byte* bottom() { return bytes.data() + kMargin; }
    bool margins_intact() const {
        for (std::size_t i = 0; i < kMargin; ++i)
            if (bytes[i] != std::byte{0xa5} || bytes[bytes.size() - 1 - i] != std::byte{0xa5}) return false;
        return true;
    }
};

}  // namespace

TEST_CASE("1.1 a new context begins at context_start with its entry and argument") {
    MarkedStack stack(4096);
    int argument = 0;
    Context context;
    make_context(context, stack.bottom(), stack.size, entry_that_never_runs, &argument);
    INFO("rip (on aarch64 lr) must be the address of context_start");
    CHECK(start_of(context) == reinterpret_cast<std::uint64_t>(&context_start));
    INFO("context_start looks for the entry in r12 and its argument in r13 (on aarch64 x19 and x20)");
    CHECK(entry_and_argument_of(context)[0] == reinterpret_cast<std::uint64_t>(&entry_that_never_runs));
    CHECK(entry_and_argument_of(context)[1] == reinterpret_cast<std::uint64_t>(&argument));
}

TEST_CASE("1.1 the stack pointer is the highest aligned address, whatever the stack's top") {
    for (std::size_t extra = 0; extra < 64; ++extra) {
        MarkedStack stack(4096 + 32);
        std::byte* const bottom = stack.bottom() + extra / 32 * 3;  // unaligned too in the second half
        const std::size_t size = 4096 + extra % 32;
        Context context;
        make_context(context, bottom, size, entry_that_never_runs, nullptr);
        const auto top = reinterpret_cast<std::uint64_t>(bottom + size);
        const std::uint64_t sp = stack_pointer_of(context);
        INFO(kit::told(message("(the top of the stack is {0}, the stack pointer {1})", hex(top), hex(sp))));
        INFO("a stack pointer must be a multiple of 16 at a call");
        REQUIRE(sp % 16 == 0);
        INFO("the stack grows down from its top: bottom + size, aligned down");
        REQUIRE(sp <= top);
        REQUIRE(top - sp < 16);
    }
}

TEST_CASE("1.1 making a context writes nothing outside the stack and leaves the rest of the context new") {
    MarkedStack stack(512);
    Context context;
    std::memset(static_cast<void*>(&context), 0x5a, sizeof context);
    std::fesetround(FE_UPWARD);
    make_context(context, stack.bottom(), stack.size, entry_that_never_runs, nullptr);
    std::fesetround(FE_TONEAREST);
    INFO("bytes below or above the stack were overwritten");
    CHECK(stack.margins_intact());
    INFO("the frame pointer must be 0, which ends a debugger's backtrace");
    CHECK(frame_pointer_of(context) == 0);
    INFO(
        "the floating-point control words must be those of a new Context{}: keep no old content (zeros would unmask "
        "all "
        "exceptions), and take nothing from the processor");
    CHECK(float_words_of(context) == float_words_of(Context{}));
}

TEST_CASE("1.1 nothing is written outside a stack that is too small for a word") {
    // The stack pointer may end up below such a stack, since nothing runs there.
    for (std::size_t size = 0; size < 32; ++size) {
        MarkedStack stack(size);
        Context context;
        make_context(context, stack.bottom(), stack.size, entry_that_never_runs, nullptr);
        INFO(kit::told(message("the stack has {0} bytes", size)));
        INFO(
            "everything that the first switch needs is in the context: write nothing at the top, not even a return "
            "address");
        REQUIRE(stack.margins_intact());
        REQUIRE(start_of(context) == reinterpret_cast<std::uint64_t>(&context_start));
    }
}

TEST_CASE("1.1 the size of a stack has 64 bits") {
    constexpr std::size_t kSize = (std::size_t{1} << 32) + 4096;
    if (kit::kUnderSanitizer) {
        SUCCEED("not enough address space under a sanitizer");
        return;
    }
    // Reserves addresses only; no page is touched.
    void* const memory =
        mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        SUCCEED("the system refuses to reserve so many addresses");
        return;
    }
    auto* const bottom = static_cast<std::byte*>(memory);
    Context context;
    make_context(context, bottom, kSize, entry_that_never_runs, nullptr);
    const std::uint64_t from_bottom = stack_pointer_of(context) - reinterpret_cast<std::uint64_t>(bottom);
    munmap(memory, kSize);
    INFO("a size of 4 GiB has more than 32 bits: add the size to the bottom as it is");
    CHECK(from_bottom == kSize);
}
