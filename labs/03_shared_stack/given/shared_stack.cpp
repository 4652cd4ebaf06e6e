// Given below the coroutines: registers by backend, coroutines, the copier, the recording of moves.
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "labs/03_shared_stack/access.h"
#include "labs/03_shared_stack/switch_to.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/run/trace.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab03 {

using kit::MisuseKind;

// ---- registers --------------------------------------------------------------------------------------------------

static_assert(std::is_trivially_destructible_v<lab01::Context>);

Registers::Registers(Kind kind) {
    if (kind == Kind::asm_)
        new (small_) lab01::Context;
    else
        large_ = new lab02::Context;
}
void Registers::release(Kind kind) noexcept {
    if (kind == Kind::ucontext) delete large_;
}

const ContextBackend& context_backend_named(std::string_view name) {
    std::string known;
    for (const ContextBackend& backend : kContextBackends) {
        if (backend.name == name) return backend;
        known += (known.empty() ? "\"" : " and \"") + std::string(backend.name) + "\"";
    }
    throw Spoken<std::invalid_argument>(message("there is no backend \"{0}\"; there are {1}", name, known));
}

void make_registers(const ContextBackend& backend, void* registers, std::byte* bottom, std::size_t size, Entry entry,
                    void* argument) {
    if (backend.kind == ContextBackend::Kind::asm_)
        lab01::make_context(*static_cast<lab01::Context*>(registers), bottom, size, entry, argument);
    else
        static_cast<lab02::Context*>(registers)->make(bottom, size, entry, argument);
}

void abort_failed_swap() noexcept { kit::abort_because("swapcontext could not enter a context"); }

// ---- live bytes, coroutines -------------------------------------------------------------------------------------

void refuse_too_deep(const kit::Core& core, const kit::StackBounds& stack, std::uintptr_t lowest) {
    const auto top = reinterpret_cast<std::uintptr_t>(stack.top());
    const std::string detail = lowest < top ? "control is " + std::to_string(top - lowest) +
                                                  " bytes below the top, and it has " + std::to_string(stack.size) +
                                                  ": they are used up, or this is another stack"
                                            : "control is on another stack, above it";
    kit::refuse(MisuseKind::stack_too_deep, core, detail);
}

SharedStackCoroutine::SharedStackCoroutine(const ContextBackend& backend, SharedStack* shared, kit::Stack&& stack,
                                           Entry entry, kit::Body body, std::string name, std::uint32_t reuses)
    : Core(trace::CoKind::task, shared != nullptr ? trace::Backend::shared : backend.recorded_as, std::move(stack),
           std::move(name), reuses),
      job(std::move(body)),
      kind_(backend.kind),
      shared_(shared),
      registers_(backend.kind) {
    if (shared_ == nullptr)
        prepare(entry);
    else
        shared_->begins_by(entry);
}

SharedStackCoroutine::~SharedStackCoroutine() { registers_.release(kind_); }

void SharedStackCoroutine::make_first_context() { prepare(shared_->entry()); }

void SharedStackCoroutine::prepare(Entry entry) {
    make_registers(backend(), registers(), stack().bottom, stack().size, entry, this);
    has_context_ = true;
}

void SharedStackCoroutine::release_shared_stack() noexcept {
    const bool owned = shared_->owner() == this;
    shared_->forget(*this);
    if (owned && shared_->owner() == nullptr && trace::recording()) [[unlikely]]
        trace::record(kit::now(), trace::own_event(shared_->index(), trace::kNone), kit::Transfer::touch(*this));
    image.clear();
}

// ---- shared stacks ----------------------------------------------------------------------------------------------

namespace {
std::atomic<std::uint32_t> next_stack{0};
}  // namespace

SharedStack::SharedStack(std::size_t size)
    : stack_(size),
      bounds_(stack_.bounds()),
      thread_(kit::this_thread().own),
      index_(next_stack.fetch_add(1, std::memory_order_relaxed)) {}

SharedStacks::SharedStacks(std::size_t count, std::size_t stack_size, std::string_view backend)
    : backend_(context_backend_named(backend)) {
    if (count == 0) throw std::invalid_argument("a group of shared stacks needs at least one stack");
    Copier::ready(backend_);
    stacks_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) stacks_.push_back(std::make_unique<SharedStack>(stack_size));
}

// ---- the copier -------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kCopierStack = kit::kUnderSanitizer ? 256 * 1024 : 16 * 1024;

thread_local std::array<std::unique_ptr<Copier>, std::size(kContextBackends)> copiers;

// Never inlined: a coroutine must not keep the address of a thread-local across a switch.
[[gnu::noinline]] std::unique_ptr<Copier>& copier_of(const ContextBackend& backend) noexcept {
    return copiers[static_cast<std::size_t>(backend.kind)];
}

}  // namespace

Copier::Copier(const ContextBackend& backend) : backend_(backend), stack_(kCopierStack), registers_(backend.kind) {}

Copier::~Copier() { registers_.release(backend_.kind); }

void* Copier::registers_for(const Move& move, void* onward) noexcept {
    if (!has_context_) {
        make_registers(backend_, own_registers(), stack_.bounds().bottom, stack_.bounds().size, &Copier::serve, this);
        has_context_ = true;
    }
    move_ = move;
    onward_ = onward;
    return own_registers();
}

void Copier::ready(const ContextBackend& backend) {
    auto& mine = copier_of(backend);
    if (mine == nullptr) mine = std::make_unique<Copier>(backend);
}

Copier& Copier::of(const ContextBackend& backend) noexcept { return *copier_of(backend); }

// ---- recording --------------------------------------------------------------------------------------------------

void announce(const Move& move) noexcept {
    const std::uint32_t stack = move.stack->index();
    const auto record_copy = [&](SharedStackCoroutine& co, trace::Direction direction, std::size_t bytes,
                                 std::size_t capacity) {
        trace::record(kit::now(),
                      trace::copy_event(co.id(), direction, static_cast<std::int64_t>(bytes),
                                        static_cast<std::int64_t>(capacity), stack),
                      kit::Transfer::touch(co));
    };
    if (move.out != nullptr) {
        const std::size_t needed = Image::capacity_for(move.out->live);
        const std::size_t has = move.out->image.capacity();
        record_copy(*move.out, trace::Direction::out, move.out->live, move.out->live <= has ? has : needed);
    }
    if (move.in != nullptr)
        trace::record(kit::now(), trace::own_event(stack, move.in->id()), kit::Transfer::touch(*move.in));
    else
        trace::record(kit::now(), trace::own_event(stack, trace::kNone));
    // A coroutine that goes out and comes in again restores the bytes that it has just saved.
    const auto comes_with = [&](const SharedStackCoroutine& in) { return &in == move.out ? in.live : in.image.size(); };
    if (move.in != nullptr && move.in->has_context())
        record_copy(*move.in, trace::Direction::in, comes_with(*move.in), move.in->image.capacity());
}

void record_access(const SharedStack& stack, const void* address) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (!trace::recording() || !stack.bounds().contains(at)) return;
    const auto below_top = reinterpret_cast<std::uintptr_t>(stack.bounds().top()) - at;
    kit::Core& self = *kit::this_thread().current;
    const std::uint32_t owner = stack.owner() != nullptr ? stack.owner()->id() : trace::kNone;
    trace::record(kit::now(),
                  trace::access_event(self.id(), stack.index(), static_cast<std::int64_t>(below_top), owner),
                  kit::Transfer::touch(self));
}

void* MovingSwitch::move_and_choose(kit::Core& from, kit::Core& to, Plan plan, bool recorded) {
    void* const next = registers_in(to);
    const Move move = plan(from, to);
    if (move.stack == nullptr) return next;
    if (recorded) announce(move);
    forget_frames(*move.stack);
    return leave_copy_go_on(move, shared_stack_of(from), backend_between(from, to), next);
}

MovingSwitch::Way MovingSwitch::way_to_current(kit::Core& from, Plan plan) {
    kit::Core& to = *kit::thread_state().current;
    return {move_and_choose(from, to, plan, false), backend_between(from, to)};
}

void MovingSwitch::record_asm(const void* observed, const lab01::Context* saved, const lab01::Context*) {
    const auto& o = *static_cast<const Observed*>(observed);
    lab01::record_registers(&o.recorder, saved, static_cast<const lab01::Context*>(o.loaded));
}

namespace {

// The registers of a ucontext_t that `_switch` also saves.
lab01::Context kept_by(const ucontext_t& context) {
    lab01::Context kept;
#if defined(__x86_64__)
    const auto at = [&](int i) { return static_cast<std::uint64_t>(context.uc_mcontext.gregs[i]); };
    kept.rsp = at(REG_RSP);
    kept.rbp = at(REG_RBP);
    kept.rip = at(REG_RIP);
    kept.rbx = at(REG_RBX);
    kept.r12 = at(REG_R12);
    kept.r13 = at(REG_R13);
    kept.r14 = at(REG_R14);
    kept.r15 = at(REG_R15);
#else
    const auto& x = context.uc_mcontext.regs;
    kept.sp = context.uc_mcontext.sp;
    kept.fp = x[29];
    kept.lr = x[30];
    for (std::size_t i = 0; i < 10; ++i) (&kept.x19)[i] = x[19 + i];
#endif
    return kept;
}

}  // namespace

void MovingSwitch::record_ucontext(const void* observed, const lab01::Context* saved, const lab01::Context*) {
    const auto& o = *static_cast<const Observed*>(observed);
    const lab01::Context loaded = kept_by(static_cast<const lab02::Context*>(o.loaded)->raw());
    lab01::record_registers(&o.recorder, saved, &loaded);
}

void yield_lazily(kit::Core& from, kit::Core& to, kit::State left, std::int64_t until, const char* reason) {
    kit::transfer(from, to, {trace::Why::yield, left, until, reason},
                  [](kit::Core& f, kit::Core& t) { return MovingSwitch(f, t, &plan_lazily); });
}

// ---- refusals ---------------------------------------------------------------------------------------------------

namespace {

void require_same_backend(const SharedStackCoroutine& running, const SharedStackCoroutine& next) {
    if (&running.backend() == &next.backend()) return;
    throw Spoken<std::logic_error>(
        message("coroutine '{0}' switches by {1} and cannot resume '{2}', which switches by {3}: nested coroutines "
                "need one backend",
                running.name(), running.backend().name, next.name(), next.backend().name));
}

}  // namespace

void require_can_resume(const SharedStackCoroutine& next, const kit::CallerStack& callers) {
    lab02::require_resumable(next, callers);
    const kit::Core& running = *kit::this_thread().current;
    if (next.shared() != nullptr && next.shared()->thread() != kit::this_thread().own)
        kit::refuse(MisuseKind::bound_to_thread, next);
    if (running.kind() == trace::CoKind::thread) return;
    require_same_backend(static_cast<const SharedStackCoroutine&>(running), next);
    require_can_yield(running);
}

namespace {

constexpr kit::CodeRow kSharedStackCode[] = {
    {"program", "", "3.4", "exercise/coroutine.cpp"},
    {"named", "", "3.4", "exercise/coroutine.cpp", "void Coroutine::resume_until_yield()", "", "owners hazard 3."},
    {"suspended", "", "3.4", "exercise/coroutine.cpp", "void yield_to_resumer(", "", "owners hazard 3."},
    {"dead", "", "3.4", "exercise/coroutine.cpp", "void Coroutine::finish()", "", "owners hazard 3."},
    {"program", "", "3.3", "exercise/schedule.cpp", "", "", "interleave"},
    {"named", "", "3.3", "exercise/schedule.cpp", "void Schedule::resume(", "", "interleave"},
    {"suspended", "", "3.3", "exercise/schedule.cpp", "void Schedule::yield()", "", "interleave"},
    {"dead", "", "3.3", "exercise/schedule.cpp", "void Schedule::finish(", "", "interleave"},
};
const kit::KnownCode shared_stack_code("03_shared_stack", kSharedStackCode);

}  // namespace

}  // namespace fiberscope::lab03
