#include "labs/02_ucontext/context.h"

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace fiberscope::lab02 {

namespace {

struct Halves {
    unsigned high;
    unsigned low;
};

Halves split(std::uintptr_t value) {
    return {static_cast<unsigned>(std::uint64_t{value} >> 32), static_cast<unsigned>(value)};
}
std::uintptr_t join(unsigned high, unsigned low) {
    return static_cast<std::uintptr_t>((std::uint64_t{high} << 32) | low);
}

// makecontext passes only arguments of type int.
void start(unsigned entry_high, unsigned entry_low, unsigned argument_high, unsigned argument_low) {
    const auto entry = reinterpret_cast<Entry>(join(entry_high, entry_low));
    entry(reinterpret_cast<void*>(join(argument_high, argument_low)));
}

[[noreturn]] void refuse(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

void Context::make(std::byte* bottom, std::size_t size, Entry entry, void* argument, Context* after) {
    if (getcontext(&context_) != 0) refuse("getcontext cannot save the state of the caller");
    context_.uc_stack.ss_sp = bottom;
    context_.uc_stack.ss_size = size;
    context_.uc_link = after == nullptr ? nullptr : &after->context_;
    const Halves function = split(reinterpret_cast<std::uintptr_t>(entry));
    const Halves value = split(reinterpret_cast<std::uintptr_t>(argument));
    makecontext(&context_, reinterpret_cast<void (*)()>(&start), 4, function.high, function.low, value.high, value.low);
}

void Context::make_here() {
    if (getcontext(&context_) != 0) refuse("getcontext cannot save the state of the caller");
}

void Context::swap_to_me(Context* old) {
    if (old == nullptr) {
        setcontext(&context_);
        refuse("setcontext cannot enter the context");
    }
    if (swapcontext(&old->context_, &context_) != 0) refuse("swapcontext cannot enter the context");
}

}  // namespace fiberscope::lab02
