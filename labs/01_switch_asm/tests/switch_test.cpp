// Step 1.2: the raw switch, without coroutines.
#include <unwind.h>

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "labs/01_switch_asm/jump.h"
#include "labs/01_switch_asm/tests/raw.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"
#include "testing/catch.h"

extern "C" const void* _Unwind_Find_FDE(void* pc, void* bases);

using namespace fiberscope;
using namespace fiberscope::lab01;
using kit::State;
using trace::Why;

TEST_CASE("1.2 a switch enters a new context with its argument, and comes back") {
    EXPECTS(
        "the first argument of _switch is the next context, the second one the current; rip is the return address; "
        "context_start calls the address in all 64 bits of r12, with r13; rbp must come back: a function that ends "
        "with leave takes rsp from it");
    struct Seen {
        kit::Core* back;
        int value;
    } seen{&main_context(), 0};
    RawContext context(
        "visitor",
        [](void* argument) {
            auto& told = *static_cast<Seen*>(argument);
            told.value = 42;
            swap_to(*told.back);
            std::abort();
        },
        &seen);
    swap_to(context, Why::start);
    INFO("the entry did not run with its argument");
    CHECK(seen.value == 42);
}

namespace {

// Switches to another context that loads other values into all registers.
struct Disturber {
    kit::Core* back;
    std::mt19937_64 random{7};
    std::vector<KeptRegisters> put, found;
};

void jump_with(KeptRegisters& values, kit::Core& next, Why why) {
    kit::Core& self = *kit::this_thread().current;
    switch_with_registers(self, next, {why, State::suspended}, &_switch, values);
}

void disturb(void* argument) {
    auto& disturber = *static_cast<Disturber*>(argument);
    for (;;) {
        KeptRegisters values = random_registers(disturber.random);
        disturber.put.push_back(values);
        jump_with(values, *disturber.back, Why::swap);
        disturber.found.push_back(values);
    }
}

}  // namespace

TEST_CASE("1.2 every callee-saved register survives a switch") {
    EXPECTS("rsp is saved as it is after the return, and each register that a function must keep is loaded again");
    Disturber disturber{&main_context(), std::mt19937_64{7}, {}, {}};
    RawContext other("other", disturb, &disturber);
    std::mt19937_64 random{99};
    std::vector<KeptRegisters> put, found;
    for (std::size_t only = 0; only < kKeptRegisters.size(); ++only)  // one by one, the others 0
        put.push_back({}), put.back()[only] = random();
    for (int i = 0; i < 20; ++i) put.push_back(random_registers(random));  // then all at once
    for (std::size_t i = 0; i < put.size(); ++i) {
        KeptRegisters values = put[i];
        jump_with(values, other, i == 0 ? Why::start : Why::swap);
        found.push_back(values);
    }
    for (std::size_t i = 0; i < put.size(); ++i) {
        const std::string difference = first_difference(put[i], found[i]);
        INFO(kit::told(difference));
        REQUIRE(difference.empty());
    }
    for (std::size_t i = 0; i < disturber.found.size(); ++i) {
        const std::string difference = first_difference(disturber.put[i], disturber.found[i]);
        INFO(kit::told(message("in the context '{0}': {1}", other.name(), Value::of(difference))));
        REQUIRE(difference.empty());
    }
}

namespace {

Context shown;
void show(const void*, const Context* saved, const Context*) { shown = *saved; }
void go_nowhere(Context*, Context*) {}

KeptRegisters kept_in(const Context& context) {
#if defined(__x86_64__)
    return {context.rbx, context.rbp, context.r12, context.r13, context.r14, context.r15};
#else
    return {context.x19, context.x20, context.x21, context.x22, context.x23, context.x24, context.x25,
            context.x26, context.x27, context.x28, context.fp,  context.d8,  context.d9,  context.d10,
            context.d11, context.d12, context.d13, context.d14, context.d15};
#endif
}

struct LooksBack {
    kit::Core* back;
    KeptRegisters seen{};
};

}  // namespace

TEST_CASE("1.2 each register is saved where the context names it") {
    INFO(
        "the assembly and the struct must use the same offsets: the member r14 must hold the "
        "register r14");
    LooksBack looks{&main_context()};
    RawContext visitor(
        "visitor",
        [](void* argument) {
            auto& told = *static_cast<LooksBack*>(argument);
            told.seen = kept_in(context_of(*told.back));
            swap_to(*told.back);
            std::abort();
        },
        &looks);
    KeptRegisters values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 4711 + i;
    const KeptRegisters put = values;
    jump_with(values, visitor, Why::start);
    for (std::size_t i = 0; i < put.size(); ++i) {
        INFO(kKeptRegisters[i]);
        CHECK(looks.seen[i] == put[i]);
    }
    INFO("given: a recorded switch shows each kept register by its own name");
    Context from, to;
    fiberscope_switch_with_registers(values.data(), &to, &from, go_nowhere, show, nullptr);
    CHECK(kept_in(shown) == put);
    CHECK(values == put);
}

namespace {

struct Alignment {
    kit::Core* back;
    std::uintptr_t misaligned_by = 1;
    char text[64] = {};
    double sum = 0;
};

double add_all(int n, ...) {
    va_list arguments;
    va_start(arguments, n);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += va_arg(arguments, double);
    va_end(arguments);
    return sum;
}

// The frame address is the address of the pushed frame pointer: 16 bytes below the aligned stack pointer at the call.
[[gnu::noinline]] void measure_alignment(void* argument) {
    auto& seen = *static_cast<Alignment*>(argument);
    seen.misaligned_by = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 16;
    swap_to(*seen.back);
    std::abort();
}

[[gnu::noinline]] void use_alignment(void* argument) {
    auto& seen = *static_cast<Alignment*>(argument);
    alignas(16) volatile char aligned[16] = {};
#if defined(__x86_64__)
    asm volatile("movaps %%xmm0, (%0)" : : "r"(aligned) : "memory");
#endif
    static_cast<void>(aligned);
    std::snprintf(seen.text, sizeof seen.text, "%.2f %.3Lf", 3.25, static_cast<long double>(1.5));
    seen.sum = add_all(9, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
    swap_to(*seen.back);
    std::abort();
}

}  // namespace

TEST_CASE("1.2 the stack is aligned at the entry") {
    Alignment seen{&main_context()};
    RawContext measure("measure", measure_alignment, &seen);
    swap_to(measure, Why::start);
    INFO(kit::told(message("at the entry the stack is off by {0} bytes: aligned instructions such as movaps will crash",
                           seen.misaligned_by)));
    REQUIRE(seen.misaligned_by == 0);

    RawContext use("use", use_alignment, &seen);
    swap_to(use, Why::start);
    CHECK(std::string(seen.text) == "3.25 1.500");
    CHECK(seen.sum == 45.0);
}

namespace {

struct Tree {
    kit::Core* back;
    std::uint64_t leaves = 0;
};

[[gnu::noinline]] std::uint64_t count_leaves(Tree& tree, int depth) {
    if (depth == 0) {
        swap_to(*tree.back);
        return 1;
    }
    const std::uint64_t left = count_leaves(tree, depth - 1);
    return left + count_leaves(tree, depth - 1);
}

void climb(void* argument) {
    auto& tree = *static_cast<Tree*>(argument);
    tree.leaves = count_leaves(tree, 8);
    swap_to(*tree.back);
    std::abort();
}

struct Loop {
    kit::Core* back;
    int came_back = 0;
};

void switch_to_itself(void* argument) {
    auto& loop = *static_cast<Loop*>(argument);
    Context here;
    for (; loop.came_back < 3; ++loop.came_back) _switch(&here, &here);
    swap_to(*loop.back);
    std::abort();
}

}  // namespace

TEST_CASE("1.2 a switch from a context to itself returns at once") {
    EXPECTS("save all of the caller before the first register of the next is loaded: both may be the same context");
    // In its own coroutine, which a switch that does nothing would never start.
    Loop loop{&main_context()};
    RawContext looper("looper", switch_to_itself, &loop);
    swap_to(looper, Why::start);
    CHECK(loop.came_back == 3);
}

TEST_CASE("1.2 locals deep in a recursion survive switches") {
    INFO("a switch keeps every frame of both stacks");
    Tree tree{&main_context()};
    RawContext climber("climber", climb, &tree);
    swap_to(climber, Why::start);
    for (int i = 0; i < 256; ++i) swap_to(climber);
    CHECK(tree.leaves == 256);
}
