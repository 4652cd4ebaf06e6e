// The switch of this lab made of Boost.Context, for the labs above: `./lab check 03` runs a failed test once on this in
// place of the student's lab 01 (docs/instructors.md). It lies in a student's tree as machine code only, and that is
// Boost's: what steps 1.1, 1.2 and 1.6 ask for is not in it.
//
// Boost keeps registers on the stack that is left, this lab in a Context, and lab 03 copies a stack only as far as the
// frame that calls the switch. So before a switch the registers of `next` are laid where Boost looks for them, and
// after it those of the one that left are taken from there. Both functions end with Boost's, in a jump: no frame of
// their own lies below.
#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <tuple>

#include "labs/01_switch_asm/jump.h"

extern "C" [[noreturn]] void fiberscope_entry_returned();  // given/coroutine.cpp

namespace fiberscope::lab01 {
namespace {

namespace boost_context = boost::context::detail;
using boost_context::fcontext_t;
using boost_context::transfer_t;

/// What Boost's jump leaves on a stack (x86_64, System V), and loads from there.
struct Left {
    std::uint32_t mxcsr;
    std::uint16_t x87cw, unused;
    std::uint64_t r12, r13, r14, r15, rbx, rbp, rip;
};
static_assert(sizeof(Left) == 64);

/// A new context, whose `r14` and `r15` hold the entry and its argument.
bool is_new(const Context& context) { return context.rip == reinterpret_cast<std::uint64_t>(&context_start); }

/// The one that is entered; on arrival its stack does not say.
thread_local Context* entered = nullptr;

/// The first function on a new stack. What Boost would pass to it has gone to the one that arrived on top of it.
void begin(transfer_t) {
    const Context& self = *entered;
    reinterpret_cast<Entry>(self.r14)(reinterpret_cast<void*>(self.r15));
    fiberscope_entry_returned();
}

/// On the stack that is entered: keeps what the other has left.
transfer_t arrived(transfer_t from) {
    const auto& left = *static_cast<const Left*>(from.fctx);
    auto& other = *static_cast<Context*>(from.data);
    other.rsp = reinterpret_cast<std::uint64_t>(&left + 1);
    std::tie(other.rbp, other.rip, other.rbx) = std::tuple(left.rbp, left.rip, left.rbx);
    std::tie(other.r12, other.r13, other.r14, other.r15) = std::tuple(left.r12, left.r13, left.r14, left.r15);
    return from;
}
transfer_t arrived_with_float(transfer_t from) {
    const auto& left = *static_cast<const Left*>(from.fctx);
    auto& other = *static_cast<Context*>(from.data);
    other.mxcsr = left.mxcsr;
    other.x87cw = left.x87cw;
    return arrived(from);
}

/// Where Boost finds the registers of `next`.
Left& lay_out(Context& next) {
    entered = &next;
    if (is_new(next)) {
        auto* const top = reinterpret_cast<void*>(next.rsp);
        return *static_cast<Left*>(boost_context::make_fcontext(top, 0, &begin));
    }
    auto& left = *(reinterpret_cast<Left*>(next.rsp) - 1);
    std::tie(left.rbp, left.rip, left.rbx) = std::tuple(next.rbp, next.rip, next.rbx);
    std::tie(left.r12, left.r13, left.r14, left.r15) = std::tuple(next.r12, next.r13, next.r14, next.r15);
    return left;
}

/// The floating-point control of this moment: `_switch` leaves it as it is.
void lay_out_this_float(Left& left) { asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(left.mxcsr), "=m"(left.x87cw)); }

}  // namespace

void make_context(Context& context, std::byte* bottom, std::size_t size, Entry entry, void* argument) {
    context = {};
    context.rsp = reinterpret_cast<std::uint64_t>(bottom + size);
    context.rip = reinterpret_cast<std::uint64_t>(&context_start);
    context.r14 = reinterpret_cast<std::uint64_t>(entry);
    context.r15 = reinterpret_cast<std::uint64_t>(argument);
}

extern "C" void _switch(Context* next, Context* current) {
    Left& left = lay_out(*next);
    lay_out_this_float(left);
    boost_context::ontop_fcontext(&left, current, &arrived);
}

extern "C" void _switch_float(Context* next, Context* current) {
    Left& left = lay_out(*next);
    left.mxcsr = next->mxcsr;
    left.x87cw = next->x87cw;
    boost_context::ontop_fcontext(&left, current, &arrived_with_float);
}

}  // namespace fiberscope::lab01
