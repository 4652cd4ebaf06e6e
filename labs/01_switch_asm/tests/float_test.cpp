// Step 1.6: the floating-point control registers.
#include <cfenv>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "labs/01_switch_asm/jump.h"
#include "labs/01_switch_asm/tests/raw.h"
#include "labs/kit/report/notes.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab01;
using kit::State;
using trace::Why;

namespace {

struct FloatRegisters {
#if defined(__x86_64__)
    std::uint32_t mxcsr = 0;
    std::uint16_t x87cw = 0;
    static FloatRegisters now() {
        FloatRegisters r;
        asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(r.mxcsr), "=m"(r.x87cw));
        return r;
    }
    std::string words() const { return "mxcsr " + hex(mxcsr & 0x6000) + ", x87 control word " + hex(x87cw & 0x0c00); }
#else
    std::uint64_t fpcr = 0;
    static FloatRegisters now() {
        FloatRegisters r;
        asm volatile("mrs %0, fpcr" : "=r"(r.fpcr));
        return r;
    }
    std::string words() const { return "fpcr " + hex(fpcr & 0xc00000); }
#endif
};

struct Rounder {
    kit::Core* back;
    std::string own_before, own_after;
};

void float_swap(kit::Core& next, Why why) {
    kit::Core& self = *kit::this_thread().current;
    KeptRegisters ignored{};
    switch_with_registers(self, next, {why, State::suspended}, &_switch_float, ignored);
}

void round_upward(void* argument) {
    auto& rounder = *static_cast<Rounder*>(argument);
    std::fesetround(FE_UPWARD);
    rounder.own_before = FloatRegisters::now().words();
    float_swap(*rounder.back, Why::swap);
    rounder.own_after = FloatRegisters::now().words();
    float_swap(*rounder.back, Why::swap);
    std::abort();
}

}  // namespace

TEST_CASE("1.6 the floating-point control registers survive a switch on both sides") {
    Rounder rounder{&main_context(), {}, {}};
    RawContext context("rounder", round_upward, &rounder);
    const std::string mine = FloatRegisters::now().words();
    float_swap(context, Why::start);
    const std::string after_first = FloatRegisters::now().words();
    std::fesetround(FE_DOWNWARD);
    const std::string changed = FloatRegisters::now().words();
    float_swap(context, Why::swap);
    const std::string after_second = FloatRegisters::now().words();
    std::fesetround(FE_TONEAREST);
    INFO("the other context rounds upward; this one must not notice");
    CHECK(after_first == mine);
    CHECK(after_second == changed);
    INFO("the other context must find its own rounding again");
    CHECK(rounder.own_after == rounder.own_before);
    CHECK(rounder.own_before != mine);
}

namespace {

/// Turns flushing of subnormal results to 0 on or off. Changes nothing else in the control register.
void flush_small_results(bool flush) {
#if defined(__x86_64__)
    constexpr std::uint32_t kFlush = 0x8000;
    std::uint32_t word = 0;
    asm volatile("stmxcsr %0" : "=m"(word));
    word = flush ? word | kFlush : word & ~kFlush;
    asm volatile("ldmxcsr %0" : : "m"(word));
#else
    constexpr std::uint64_t kFlush = std::uint64_t{1} << 24;
    std::uint64_t word = 0;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    word = flush ? word | kFlush : word & ~kFlush;
    asm volatile("msr fpcr, %0" : : "r"(word));
#endif
}

bool flushes_small_results() {
    volatile double smallest = std::numeric_limits<double>::min();
    return smallest / 2 == 0;
}

struct Flusher {
    kit::Core* back;
    bool before = false, after = false;
};

void flush(void* argument) {
    auto& flusher = *static_cast<Flusher*>(argument);
    flush_small_results(true);
    flusher.before = flushes_small_results();
    float_swap(*flusher.back, Why::swap);
    flusher.after = flushes_small_results();
    float_swap(*flusher.back, Why::swap);
    std::abort();
}

}  // namespace

TEST_CASE("1.6 contexts that differ only in the treatment of subnormal results keep it") {
    Flusher flusher{&main_context()};
    RawContext context("flusher", flush, &flusher);
    const bool mine = flushes_small_results();
    float_swap(context, Why::start);
    const bool between = flushes_small_results();
    float_swap(context, Why::swap);
    const bool at_the_end = flushes_small_results();
    flush_small_results(false);
    INFO("the rounding mode is the same in both: each of the other control bits must be compared too");
    CHECK_FALSE(mine);
    CHECK(flusher.before);
    CHECK_FALSE(between);
    CHECK(flusher.after);
    CHECK_FALSE(at_the_end);
}

#if defined(__x86_64__)
namespace {

std::uint16_t x87_control_word() {
    std::uint16_t word = 0;
    asm volatile("fnstcw %0" : "=m"(word));
    return word;
}
void set_x87_control_word(std::uint16_t word) { asm volatile("fldcw %0" : : "m"(word)); }

struct Single {
    kit::Core* back;
    std::uint16_t word, after = 0;
};

void compute_singly(void* argument) {
    auto& single = *static_cast<Single*>(argument);
    set_x87_control_word(single.word);
    float_swap(*single.back, Why::swap);
    single.after = x87_control_word();
    float_swap(*single.back, Why::swap);
    std::abort();
}

}  // namespace

namespace {

std::uint32_t sse_control_bits() {
    std::uint32_t word = 0;
    asm volatile("stmxcsr %0" : "=m"(word));
    return word & 0xffc0;
}
void set_sse_control_bits(std::uint32_t bits) { asm volatile("ldmxcsr %0" : : "m"(bits)); }

struct OneBit {
    kit::Core* back;
    std::uint32_t bits, after = 0;
};

void run_with_one_bit(void* argument) {
    auto& one = *static_cast<OneBit*>(argument);
    set_sse_control_bits(one.bits);
    float_swap(*one.back, Why::swap);
    one.after = sse_control_bits();
    float_swap(*one.back, Why::swap);
    std::abort();
}

}  // namespace

TEST_CASE("1.6 contexts that differ only in one control bit of mxcsr keep it") {
    const std::uint32_t mine = sse_control_bits();
    for (const std::uint32_t bit : {0x0040U, 0x0100U, 0x2000U, 0x4000U, 0x8000U}) {
        OneBit one{&main_context(), mine ^ bit};
        RawContext context("one bit", run_with_one_bit, &one);
        float_swap(context, Why::start);
        const std::uint32_t between = sse_control_bits();
        float_swap(context, Why::swap);
        const std::uint32_t at_the_end = sse_control_bits();
        set_sse_control_bits(mine);
        INFO(kit::told(message("(the bit that differs is {0})", hex(bit))));
        INFO("all bits of mxcsr except the low six are control bits: compare and load each of them");
        CHECK(hex(between) == hex(mine));
        CHECK(hex(one.after) == hex(mine ^ bit));
        CHECK(hex(at_the_end) == hex(mine));
    }
}

TEST_CASE("1.6 contexts that differ only in one field of the x87 control word keep it") {
    const std::uint16_t mine = x87_control_word();
    for (const std::uint16_t other : {std::uint16_t{0x007f}, std::uint16_t{0x0b7f}, std::uint16_t{0x037e}}) {
        Single single{&main_context(), other};
        RawContext context("single", compute_singly, &single);
        float_swap(context, Why::start);
        const std::uint16_t between = x87_control_word();
        float_swap(context, Why::swap);
        const std::uint16_t at_the_end = x87_control_word();
        set_x87_control_word(mine);
        INFO(
            "the control word has three fields, rounding, precision and masks: each of them must be compared, "
            "even if mxcsr is the same on both sides");
        CHECK(hex(between) == hex(mine));
        CHECK(hex(single.after) == hex(other));
        CHECK(hex(at_the_end) == hex(mine));
    }
}
#endif
