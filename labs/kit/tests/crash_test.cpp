// Crash reports name the true cause and location. Each test really crashes, in a child process.
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "labs/kit/fault/fault.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/report/report.h"
#include "labs/kit/tests/crash.h"
#include "testing/catch.h"

// A sanitizer would report before the processor does.
#define CRASHES __attribute__((noinline, no_sanitize("address", "undefined")))

using namespace fiberscope;
using kit::testing::Crash;
using kit::testing::crash_of;
using kit::testing::says;

namespace test_file_7 {
CRASHES void use_null_there() { *static_cast<volatile int*>(nullptr) = 1; }
}  // namespace test_file_7

namespace {

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

volatile std::uintptr_t nothing = 0;

CRASHES void use_null() { *reinterpret_cast<volatile int*>(nothing) = 1; }
CRASHES void use_field_of_null() { *reinterpret_cast<volatile int*>(nothing + 24) = 1; }
CRASHES void call_null() {
    reinterpret_cast<void (*)()>(nothing)();
    asm volatile("");  // prevents a tail call
}
CRASHES void in_between() {
    use_null();
    asm volatile("");
}
CRASHES void outermost() {
    in_between();
    asm volatile("");
}
CRASHES void give_up() {
    kit::abort_because("it gave up");
    asm volatile("");
}
CRASHES void throw_far() { throw std::runtime_error("far away"); }
CRASHES void throw_out_of_thread() noexcept { throw_far(); }
CRASHES void write_what_is_read_only() {
    void* page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<volatile int*>(page) = 1;
}
CRASHES void call_what_is_no_code() {
    void* page = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    reinterpret_cast<void (*)()>(page)();
    asm volatile("");
}
CRASHES void lose_the_stack() {
    void* page = ::mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#if defined(__x86_64__)
    asm volatile("leaq 32768(%0), %%rsp; movl $1, 0" ::"r"(page) : "memory");
#else
    asm volatile("add x9, %0, #32768; mov sp, x9; mov x9, #0; str x9, [x9]" ::"r"(page) : "x9", "memory");
#endif
}

#if defined(__x86_64__)
CRASHES void misaligned_stack() { asm volatile("andq $-16, %rsp; subq $8, %rsp; movaps %xmm0, (%rsp)"); }
CRASHES void misaligned_memory() {
    alignas(16) char bytes[64];
    asm volatile("andq $-16, %%rsp; movaps %%xmm0, 8(%0)" ::"r"(bytes) : "memory");
}
CRASHES void unaligned_move_of_nonsense() {
    const std::uintptr_t nonsense = nothing + 0x6161616161616161;
    asm volatile("andq $-16, %%rsp; movups %%xmm0, (%0)" ::"r"(nonsense) : "memory");
}
CRASHES void use_nonsense() { *reinterpret_cast<volatile int*>(nothing + 0x6161616161616161) = 1; }
CRASHES void return_to_nonsense() {
    asm volatile("movq %0, (%%rsp); ret" ::"r"(nothing + 0x6161616161616161) : "memory");
}
#endif

}  // namespace

TEST_CASE("report: a long message is cut only between sentences") {
    const std::string first(480, 'x');
    const Crash told =
        crash_of([&] { kit::report_failed("a.cpp", 1, "e", "v", first + "; the rule that does not fit"); });
    CHECK(told.signal == 0);
    CHECK(told.fault == "failed\ta.cpp\t1\te\tv\t" + first + "\n");
}

TEST_CASE("a null pointer is reported as such, with function, file, line and callers") {
    const Crash crash = crash_of(outermost);
    CHECK(crash.signal == SIGSEGV);
    CHECK(says(crash.fault, "null pointer dereference"));
    INFO(crash.frames);
    CHECK(lines(crash.frames) == 3);
    CHECK(says(crash.frames, "use_null"));
    CHECK(says(crash.frames, "in_between"));
    CHECK(says(crash.frames, "outermost"));
    CHECK(says(crash.frames, "labs/kit/tests/crash_test.cpp\t"));
    CHECK(crash.frames.find("use_null") < crash.frames.find("in_between"));
}

TEST_CASE("a jump to null is not reported as a null pointer dereference, and names its caller") {
    const Crash crash = crash_of(call_null);
    CHECK(crash.signal == SIGSEGV);
    CHECK(says(crash.fault, "jump to null"));
    CHECK_FALSE(says(crash.fault, "null pointer dereference"));
    INFO(crash.frames);
    CHECK(crash.frames.find("call_null") < crash.frames.find('\n'));
}

TEST_CASE("a frame does not name the namespace of a file that is compiled together with others") {
    const Crash crash = crash_of(test_file_7::use_null_there);
    INFO(crash.frames);
    CHECK(says(crash.frames, "frame\tuse_null_there"));
    CHECK_FALSE(says(crash.frames, "test_file_7"));
}

TEST_CASE("each cause of a fault has its own message") {
    CHECK(says(crash_of(use_field_of_null).fault, "null pointer dereference, at offset 24"));
    CHECK(says(crash_of(call_what_is_no_code).fault, "jump to non-executable memory"));
    CHECK_FALSE(says(crash_of(write_what_is_read_only).fault, "not there"));
#if defined(__x86_64__)
    CHECK(says(crash_of(write_what_is_read_only).fault, "write to protected memory"));
    CHECK(says(crash_of(misaligned_memory).fault, "misaligned memory access"));
    CHECK(says(crash_of(misaligned_memory).fault, "rsp % 16 is 0"));
    CHECK(says(crash_of(use_nonsense).fault, "access to a non-canonical address"));
    CHECK(says(crash_of(unaligned_move_of_nonsense).fault, "access to a non-canonical address"));
    CHECK(says(crash_of(return_to_nonsense).fault, "jump or return to a non-canonical address"));
#endif
}

TEST_CASE("a stray stack pointer is reported, and that stack is not unwound") {
    const Crash crash = crash_of(lose_the_stack);
    CHECK(crash.signal == SIGSEGV);
    CHECK(says(crash.fault, "the stack pointer is not in its stack"));
    INFO(crash.frames);
    CHECK(lines(crash.frames) == 1);
    CHECK(says(crash.frames, "lose_the_stack"));
}

TEST_CASE("an abort names the reason, and the calling function") {
    const Crash crash = crash_of(give_up);
    CHECK(crash.signal == SIGABRT);
    CHECK(says(crash.fault, "it gave up"));
    INFO(crash.frames);
    CHECK(crash.frames.find("give_up") < crash.frames.find('\n'));
}

TEST_CASE("an uncaught exception names the function that threw it") {
    const Crash crash = crash_of(throw_out_of_thread);
    CHECK(crash.signal == SIGABRT);
    CHECK(says(crash.fault, "far away"));
    INFO(crash.frames);
    CHECK(says(crash.frames, "throw_far"));
}

#if defined(__x86_64__)
TEST_CASE("a misaligned stack is not reported as a null pointer: the report has rsp % 16") {
    const Crash crash = crash_of(misaligned_stack);
    CHECK(crash.signal == SIGSEGV);
    CHECK(says(crash.fault, "misaligned stack"));
    CHECK(says(crash.fault, "rsp % 16 is 8"));
    CHECK_FALSE(says(crash.fault, "null pointer"));
    INFO(crash.frames);
    CHECK(says(crash.frames, "misaligned_stack"));
}
#endif
