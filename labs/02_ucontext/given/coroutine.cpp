// Given for steps 2.1 to 2.3: recording of registers, raw contexts, and the coroutine around the student's switches.
#include <utility>

#include "labs/02_ucontext/coroutine.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/known_code.h"

namespace fiberscope::lab02 {

namespace {

#if defined(__x86_64__)
RegisterValues registers_in(const ucontext_t& context) {
    const auto& kept = context.uc_mcontext.gregs;
    const auto value = [&](int which) { return static_cast<std::uint64_t>(kept[which]); };
    const auto* floating = context.uc_mcontext.fpregs;
    return {value(REG_RSP), value(REG_RBP), value(REG_RIP), value(REG_RBX),  value(REG_R12),
            value(REG_R13), value(REG_R14), value(REG_R15), floating->mxcsr, static_cast<std::uint64_t>(floating->cwd)};
}
#else
// Layout of the floating-point registers of an mcontext_t in the kernel and glibc.
struct FloatingPoint {
    std::uint32_t magic, size, fpsr, fpcr;
    struct {
        std::uint64_t low, high;
    } v[32];
};

RegisterValues registers_in(const ucontext_t& context) {
    const auto& machine = context.uc_mcontext;
    const auto& floating = *reinterpret_cast<const FloatingPoint*>(machine.__reserved);
    RegisterValues values{machine.sp, machine.regs[29], machine.pc};
    for (std::size_t i = 0; i < 10; ++i) values[3 + i] = machine.regs[19 + i];
    for (std::size_t i = 0; i < 8; ++i) values[13 + i] = floating.v[8 + i].low;
    return values;
}
#endif

}  // namespace

RegisterValues ContextJump::loaded_by(const Context& next) noexcept {
    return next.seen_ != nullptr ? *next.seen_ : registers_in(next.raw());
}

void ContextJump::recorded(const kit::SwitchRecorder& recorder) const {
    ucontext_t here;
    getcontext(&here);
    const RegisterValues saved = registers_in(here);
    recorder(saved, loaded_by(*next));
    if (current != nullptr) current->seen_ = &saved;
    (*this)();
    current->seen_ = nullptr;
}

void jump_to(kit::Core& from, kit::Core& to, const kit::Step& step) {
    kit::transfer(from, to, step, [](kit::Core&, kit::Core& t) { return ContextJump{&context_of(t), nullptr}; });
    kit::abort_because("swap_to_me without an old context returned: nothing was saved, so nothing can have come back");
}

RawContext::RawContext(std::string name, Entry entry, void* argument, kit::Core* after, std::size_t stack_size)
    : Owner(trace::CoKind::task, trace::Backend::ucontext, kit::Stack(stack_size), std::move(name)),
      entry_(entry),
      argument_(argument),
      after_(after) {
    registers.make(stack().bottom, stack().size, &RawContext::run_entry, this,
                   after == nullptr ? nullptr : &context_of(*after));
}

void RawContext::run_entry(void* self) {
    auto& raw = *static_cast<RawContext*>(self);
    kit::arrive(raw);
    raw.entry_(raw.argument_);
    raw.announce_end();
}

// The C library does the rest.
void RawContext::announce_end() {
    if (after_ == nullptr) return kit::set_state(*this, kit::State::dead);
    const kit::Step step{trace::Why::exit, kit::State::dead};
    kit::prepare_library_switch(*this, *after_, step);
    if (!trace::recording()) return;
    ucontext_t here;
    getcontext(&here);
    const Context& next = context_of(*after_);
    kit::SwitchRecorder(*this, *after_, step)(registers_in(here), ContextJump::loaded_by(next));
}

Coroutine::~Coroutine() {
    if (kit::must_unwind(*this)) unwind();
}

void Coroutine::unwind() {
    kit::this_thread();
    job_.begin_unwinding();
    resume_until_dead();
    release_stack();
}

void Coroutine::entry(void* self) {
    auto& coroutine = *static_cast<Coroutine*>(self);
    kit::arrive(coroutine);
    coroutine.job_.run();
    coroutine.finish();
}

void Coroutine::after_end() {
    release_stack();
    job_.rethrow_failure();
}

void yield() { yield(kit::State::suspended, trace::kAbsent, nullptr); }

Coroutine* running() noexcept {
    const kit::CallerStack& callers = kit::this_thread().callers;
    return callers.depth() == 0 ? nullptr : static_cast<Coroutine*>(callers.top());
}

namespace {

constexpr kit::CodeRow kCoroutineCode[] = {
    {"program", "", "2.2", "exercise/coroutine.cpp"},
    {"named", "", "2.2", "exercise/coroutine.cpp", "void Coroutine::resume_until_yield()"},
    {"suspended", "", "2.2", "exercise/coroutine.cpp", "void yield("},
    {"dead", "", "2.2", "exercise/coroutine.cpp", "void Coroutine::finish()"},
    {"program", "", "2.1", "exercise/context.cpp", "", "", "four_calls"},
    {"program", "", "2.3", "exercise/context.cpp", "", "", "signal_mask"},
    {"named", "", "2.1", "exercise/context.cpp", "void Context::swap_to_me(", "", "four_calls signal_mask"},
    {"suspended", "", "2.1", "exercise/context.cpp", "void Context::swap_to_me(", "", "four_calls signal_mask"},
    {"dead", "", "2.3", "exercise/context.cpp", "void Context::make(", "", "four_calls signal_mask"},
    {"program", "", "2.5", "exercise/pool.cpp", "", "", "pool"},
    {"program", "", "2.4", "exercise/fiber.cpp", "", "", "fiber_scheduler"},
    {"named", "", "2.4", "exercise/fiber.cpp", "void Fiber::resume(", "", "fiber_scheduler"},
    {"taken", "tasks", "2.4", "exercise/fiber.cpp", "void Scheduler::loop(", "tasks_.pop()", "fiber_scheduler"},
    {"suspended", "", "2.4", "exercise/fiber.cpp", "void Fiber::yield(", "", "fiber_scheduler"},
    {"dead", "", "2.4", "exercise/fiber.cpp", "void Fiber::finish(", "", "fiber_scheduler"},
};
const kit::KnownCode coroutine_code("02_ucontext", kCoroutineCode);

}  // namespace

}  // namespace fiberscope::lab02
