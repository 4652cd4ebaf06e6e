// Given: construction, the entry of every coroutine, and the recording of registers.
#include <array>
#include <string>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/known_code.h"

namespace fiberscope::lab01 {

#if defined(__x86_64__)
void call_on_arrival(Context& context, void (*function)()) {
    context.rsp -= sizeof context.rip;
    *reinterpret_cast<std::uint64_t*>(context.rsp) = context.rip;
    context.rip = reinterpret_cast<std::uint64_t>(function);
}
#else
extern "C" void fiberscope_arrival();  // start_aarch64.S: pops both and jumps to `function` with the old lr

void call_on_arrival(Context& context, void (*function)()) {
    context.sp -= 16;
    auto* pushed = reinterpret_cast<std::uint64_t*>(context.sp);
    pushed[0] = context.lr;
    pushed[1] = reinterpret_cast<std::uint64_t>(function);
    context.lr = reinterpret_cast<std::uint64_t>(&fiberscope_arrival);
}
#endif

RawContext::RawContext(std::string name, Entry entry, void* argument, std::size_t stack_size)
    : ContextOwner(kit::Stack(stack_size), std::move(name), false), entry_(entry), argument_(argument) {
    make_context(registers, stack().bottom, stack().size, &RawContext::run_entry, this);
}

void RawContext::run_entry(void* self) {
    auto& raw = *static_cast<RawContext*>(self);
    kit::arrive(raw);
    raw.entry_(raw.argument_);
}

Coroutine::~Coroutine() {
    if (kit::must_unwind(*this)) unwind();
}

void Coroutine::entry(void* self) {
    auto& coroutine = *static_cast<Coroutine*>(self);
    kit::arrive(coroutine);
    coroutine.run();
    coroutine.finish();
}

void Coroutine::throw_unwind() {
    kit::arrive(*running());
    throw Unwind{};
}

void yield() { yield(kit::State::suspended, trace::kAbsent, nullptr); }

Coroutine* running() noexcept {
    kit::Core* current = kit::this_thread().current;
    return current->kind() == trace::CoKind::thread ? nullptr : static_cast<Coroutine*>(current);
}

namespace {

#if defined(__x86_64__)
std::array<std::uint64_t, 10> in_order(const Context& c) {
    return {c.rsp, c.rbp, c.rip, c.rbx, c.r12, c.r13, c.r14, c.r15, c.mxcsr, c.x87cw};
}
constexpr std::size_t kWithoutFloat = 8;
#else
std::array<std::uint64_t, 21> in_order(const Context& c) {
    return {c.sp,  c.fp,  c.lr, c.x19, c.x20, c.x21, c.x22, c.x23, c.x24, c.x25, c.x26,
            c.x27, c.x28, c.d8, c.d9,  c.d10, c.d11, c.d12, c.d13, c.d14, c.d15};
}
constexpr std::size_t kWithoutFloat = 21;
#endif

}  // namespace

void record_registers(const void* observer, const Context* saved, const Context* loaded) {
    const auto out = in_order(*saved);
    const auto in = in_order(*loaded);
    (*static_cast<const kit::SwitchRecorder*>(observer))(std::span(out).first(kWithoutFloat),
                                                         std::span(in).first(kWithoutFloat));
}

namespace {

constexpr kit::CodeRow kCoroutineCode[] = {
    {"program", "", "1.3", "exercise/coroutine.cpp"},
    {"named", "", "1.3", "exercise/coroutine.cpp", "void Coroutine::resume_until_yield()"},
    {"suspended", "", "1.3", "exercise/coroutine.cpp", "void yield("},
    {"dead", "", "1.4", "exercise/coroutine.cpp", "void Coroutine::finish()"},
    {"program", "", "1.2", "exercise/switch_x86_64.S", "", "", "two_contexts"},
    {"named", "", "1.2", "exercise/switch_x86_64.S", "_switch:", "", "two_contexts"},
    {"suspended", "", "1.2", "exercise/switch_x86_64.S", "_switch:", "", "two_contexts"},
    {"dead", "", "1.2", "exercise/switch_x86_64.S", "_switch:", "", "two_contexts"},
};
const kit::KnownCode coroutine_code("01_switch_asm", kCoroutineCode);

}  // namespace

}  // namespace fiberscope::lab01

extern "C" [[noreturn]] void fiberscope_entry_returned() {
    fiberscope::kit::abort_because(
        "the entry of a context returned, and there is nothing to return to: its last act must be a switch");
}
