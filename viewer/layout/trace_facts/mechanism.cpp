#include "viewer/layout/trace_facts/mechanism.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fiberscope::viewer {
namespace {

using trace::Chosen;
using trace::State;

enum Entry : std::size_t {
    resume_01,
    yield_01,
    finish_01,
    resume_02,
    yield_02,
    swap_02,
    link_02,
    fiber_resume,
    fiber_yield,
    resume_03,
    yield_03,
    make_ready,
    deadline,
    sleeping,
    waiting,
    producer_consumer,
    multi_state,
    sylar,
    netco,
    go,
    steal,
    event_loop,
    hand_off,
    poll,
    by_state,
    sleep_for,
    wait_for,
    take_lock,
    until_done,
    wait_event,
    hooked_call,
    count
};

constexpr std::array<Mechanism, count> kMechanisms{{
    {"step 1.3", "labs/01_switch_asm/README.md#step-13-resume-and-yield", "labs/01_switch_asm/exercise/coroutine.cpp",
     "void Coroutine::resume_until_yield()"},
    {"step 1.3", "labs/01_switch_asm/README.md#step-13-resume-and-yield", "labs/01_switch_asm/exercise/coroutine.cpp",
     "void yield("},
    {"step 1.4", "labs/01_switch_asm/README.md#step-14-the-end-of-a-coroutine",
     "labs/01_switch_asm/exercise/coroutine.cpp", "void Coroutine::finish()"},
    {"step 2.2", "labs/02_ucontext/README.md#step-22-lab-01s-coroutine-on-it",
     "labs/02_ucontext/exercise/coroutine.cpp", "void Coroutine::resume_until_yield()"},
    {"step 2.2", "labs/02_ucontext/README.md#step-22-lab-01s-coroutine-on-it",
     "labs/02_ucontext/exercise/coroutine.cpp", "void yield("},
    {"step 2.1", "labs/02_ucontext/README.md#step-21-a-context", "labs/02_ucontext/exercise/context.cpp",
     "void Context::swap_to_me("},
    {"step 2.3", "labs/02_ucontext/README.md#step-23-where-the-end-of-a-function-goes",
     "labs/02_ucontext/exercise/context.cpp", "void Context::make("},
    {"step 2.4", "labs/02_ucontext/README.md#step-24-sylars-fibers", "labs/02_ucontext/exercise/fiber.cpp",
     "void Fiber::resume("},
    {"step 2.4", "labs/02_ucontext/README.md#step-24-sylars-fibers", "labs/02_ucontext/exercise/fiber.cpp",
     "void Fiber::yield("},
    {"step 3.3", "labs/03_shared_stack/README.md#step-33-the-schedule", "labs/03_shared_stack/exercise/schedule.cpp",
     "void Schedule::resume("},
    {"step 3.3", "labs/03_shared_stack/README.md#step-33-the-schedule", "labs/03_shared_stack/exercise/schedule.cpp",
     "void Schedule::yield()"},
    {"step 4.1", "labs/04_scheduler/README.md#step-41-the-scheduler-and-its-ready-queue",
     "labs/04_scheduler/exercise/scheduler.cpp", "bool Scheduler::make_ready("},
    {"step 4.2", "labs/04_scheduler/README.md#step-42-the-sleep-tree", "labs/04_scheduler/exercise/sleep_tree.cpp",
     "Task* Scheduler::expired("},
    {"step 4.2", "labs/04_scheduler/README.md#step-42-the-sleep-tree", "labs/04_scheduler/exercise/sleep_tree.cpp",
     "void Scheduler::insert_sleeping("},
    {"step 4.3", "labs/04_scheduler/README.md#step-43-the-wait-tree", "labs/04_scheduler/exercise/wait_tree.cpp",
     "bool waits_before("},
    {"step 4.4", "labs/04_scheduler/README.md#step-44-producers-and-a-consumer",
     "labs/04_scheduler/exercise/producer_consumer.cpp", "void ProducerConsumer::run("},
    {"step 4.5", "labs/04_scheduler/README.md#step-45-the-multi-state-loop",
     "labs/04_scheduler/exercise/multi_state.cpp", "void MultiState::run("},
    {"step 4.6", "labs/04_scheduler/README.md#step-46-sylars-scheduler", "labs/04_scheduler/exercise/sylar.cpp",
     "Task* Sylar::take("},
    {"step 4.7", "labs/04_scheduler/README.md#step-47-netcos-processors", "labs/04_scheduler/exercise/netco.cpp",
     "void Netco::work("},
    {"step 4.8", "labs/04_scheduler/README.md#step-48-machines-and-gs", "labs/04_scheduler/exercise/go_machine.cpp",
     "Task* GoScheduler::next("},
    {"step 4.8", "labs/04_scheduler/README.md#step-48-machines-and-gs", "labs/04_scheduler/exercise/go_steal.cpp",
     "Task* GoScheduler::steal("},
    {"step 4.9", "labs/04_scheduler/README.md#step-49-libcos-event-loop", "labs/04_scheduler/exercise/event_loop.cpp",
     "void EventLoop::run("},
    {"step 4.12", "labs/04_scheduler/README.md#step-412-hand-off", "labs/04_scheduler/exercise/hand_off.cpp",
     "void HandOff::leave("},
    {"step 4.4", "labs/04_scheduler/README.md#step-44-producers-and-a-consumer",
     "labs/04_scheduler/exercise/producer_consumer.cpp", "std::span<const Event> Scheduler::poll()"},
    {"step 4.1", "labs/04_scheduler/README.md#step-41-the-scheduler-and-its-ready-queue",
     "labs/04_scheduler/exercise/scheduler.cpp", "void Scheduler::insert_by_state("},
    {"step 4.2", "labs/04_scheduler/README.md#step-42-the-sleep-tree", "labs/04_scheduler/exercise/sleep_tree.cpp",
     "Wake sleep_for("},
    {"step 4.3", "labs/04_scheduler/README.md#step-43-the-wait-tree", "labs/04_scheduler/exercise/wait_tree.cpp",
     "Wake wait_for("},
    {"step 4.10", "labs/04_scheduler/README.md#step-410-a-lock-for-readers-and-writers",
     "labs/04_scheduler/exercise/rw_mutex.cpp", "bool RWMutex::take("},
    {"step 5.2", "labs/05_epoll_io/README.md#step-52-calls-that-park", "labs/05_epoll_io/exercise/io.cpp",
     "long until_done("},
    {"step 5.4", "labs/05_epoll_io/README.md#step-54-an-io-manager", "labs/05_epoll_io/exercise/io_manager.cpp",
     "Wake IOManager::wait_event("},
    {"step 5.5", "labs/05_epoll_io/README.md#step-55-the-hook", "labs/05_epoll_io/exercise/hook.cpp", "long blocking("},
}};

/// Which line takes from the sets whose names begin so; in another function than the entry's, if one is named.
struct Taking {
    Entry entry;
    std::string_view set, line, function = {};
    bool by_task = false;
};
constexpr std::array kTakings{Taking{producer_consumer, "ready", "ready().pop()"},
                              Taking{multi_state, "ready", "ready().pop()"},
                              Taking{multi_state, "sleeping", "sched.expired("},
                              Taking{multi_state, "waiting", "sched.waiter("},
                              Taking{event_loop, "ready", "ready().pop()"},
                              Taking{hand_off, "ready", "ready().pop()", {}, true},
                              Taking{hand_off, "ready", "ready().pop()", "void HandOff::run("},
                              Taking{sylar, "ready", "ready().pop_first("},
                              Taking{netco, "expired", "expired.pop()"},
                              Taking{netco, "new", "fresh.pop()"},
                              Taking{netco, "active", "ready().pop()"},
                              Taking{go, "runnable", "pop_local("},
                              Taking{go, "ready", "pop_global("},
                              Taking{steal, "runnable", "theirs.runnable.pop()"}};

struct Strategy {
    std::string_view name;
    Entry entry;
};
constexpr std::array kStrategies{Strategy{"multi_state", multi_state},
                                 Strategy{"sylar", sylar},
                                 Strategy{"netco", netco},
                                 Strategy{"go", go},
                                 Strategy{"go_p", go},
                                 Strategy{"event_loop", event_loop},
                                 Strategy{"hand_off", hand_off},
                                 Strategy{"producer_consumer", producer_consumer}};

bool scheduled(const trace::Head& head) noexcept {
    return head.lab == "04_scheduler" || head.lab == "05_epoll_io" || head.lab == "06_timers";
}

/// The loop that takes tasks out of the ready queue.
Entry loop_of(const trace::Head& head) noexcept {
    for (const Strategy& strategy : kStrategies)
        if (head.strategy == strategy.name || head.program == strategy.name) return strategy.entry;
    return producer_consumer;
}

/// How control moves: to one that is entered, away from one that goes on later, or back from one.
enum class Way : std::uint8_t { in, out, back };

/// Lab 02 shows a mechanism of its own in each of these programs; in the others lab 01's coroutine.
Entry of_ucontext(const trace::Head& head, Way way) noexcept {
    if (head.program == "four_calls") return way == Way::back ? link_02 : swap_02;
    if (head.program == "fiber_scheduler") return way == Way::in ? fiber_resume : fiber_yield;
    return way == Way::in ? resume_02 : yield_02;
}

/// What a task does that leaves its machine in that state.
Entry left_as(const trace::Head& head, State left) noexcept {
    const bool lab05 = head.lab == "05_epoll_io";
    switch (left) {
    case State::sleeping: return sleep_for;
    case State::waiting:
        if (head.program == "readers_writers") return take_lock;
        if (lab05 && head.program == "hooked") return hooked_call;
        if (lab05 && head.program == "io_manager") return wait_event;
        return lab05 ? until_done : wait_for;
    default: return by_state;
    }
}

/// The entry of the lab that a trace is of; null if it is of none. Where a scheduler runs tasks, its labs tell of it.
const Mechanism* of_lab(const trace::Head& head, Way way, State left = State::ready) noexcept {
    const bool in = way == Way::in;
    if (scheduled(head)) return &kMechanisms[in ? loop_of(head) : left_as(head, left)];
    if (head.lab == "02_ucontext") return &kMechanisms[of_ucontext(head, way)];
    if (head.lab == "03_shared_stack") return &kMechanisms[in ? resume_03 : yield_03];
    if (head.lab == "01_switch_asm") return &kMechanisms[in ? resume_01 : yield_01];
    return nullptr;
}

}  // namespace

const Mechanism* mechanism_of(const trace::Head& head, Chosen why, State left) noexcept {
    if (why == Chosen::back) return of_lab(head, Way::back, left);
    if (!scheduled(head)) return of_lab(head, Way::in);
    switch (why) {
    case Chosen::head:
    case Chosen::younger:
    case Chosen::loop: return &kMechanisms[loop_of(head)];
    case Chosen::stolen: return &kMechanisms[steal];
    case Chosen::deadline:
    case Chosen::early: return &kMechanisms[deadline];
    case Chosen::event: return &kMechanisms[waiting];
    case Chosen::idle: return &kMechanisms[poll];
    case Chosen::named:
    case Chosen::back: break;
    }
    return of_lab(head, Way::in);
}

std::optional<ChoosingLine> line_that_chose(const trace::Head& head, const trace::Choice& choice, bool by_task,
                                            std::string_view set) noexcept {
    const Entry entry = choice.why == Chosen::stolen ? steal : loop_of(head);
    for (const Taking& taking : kTakings) {
        if (!scheduled(head) || set.empty() || taking.entry != entry || !set.starts_with(taking.set)) continue;
        if (entry == hand_off && taking.by_task != by_task) continue;
        ChoosingLine out{kMechanisms[entry], taking.line};
        if (!taking.function.empty()) out.where.line = taking.function;
        return out;
    }
    const Mechanism* other = mechanism_of(head, choice.why);
    return other == nullptr ? std::nullopt : std::optional(ChoosingLine{*other, {}});
}

const Mechanism* mechanism_of(const trace::Head& head, State state) noexcept {
    switch (state) {
    case State::ready: return scheduled(head) ? &kMechanisms[make_ready] : nullptr;
    case State::sleeping: return scheduled(head) ? &kMechanisms[sleeping] : nullptr;
    case State::waiting: return scheduled(head) ? &kMechanisms[waiting] : nullptr;
    case State::normal: return of_lab(head, Way::in);
    case State::suspended: return of_lab(head, Way::out);
    case State::dead: return head.lab == "01_switch_asm" ? &kMechanisms[finish_01] : nullptr;
    case State::new_:
    case State::running: break;
    }
    return nullptr;
}

const Mechanism* mechanism_before(const trace::Replay& replay, std::span<const std::uint32_t> switches, std::size_t n) {
    const auto next = std::lower_bound(switches.begin(), switches.end(), n);
    if (next == switches.begin()) return nullptr;
    const trace::Trace& trace = replay.trace();
    const std::uint32_t last = *(next - 1);
    return mechanism_of(trace.head, trace::choice_at(replay, last).why, trace[last].second<State>());
}

std::string title_in(std::string_view title, Language language) {
    for (const Text key : {mark("step {0}"), mark("lab {0}")}) {
        const std::string_view before =
            text_of(key, Language::english).substr(0, text_of(key, Language::english).find('{'));
        if (title.starts_with(before)) return say(language, key, title.substr(before.size()));
    }
    return std::string(title);
}

std::string section_in(std::string_view section, Language language) {
    constexpr std::string_view kPage = "/README.md";
    std::string out(section);
    const auto at = out.find(kPage);
    if (language == Language::chinese && at != std::string::npos) out.replace(at, kPage.size(), "/README.zh.md");
    return out;
}

std::span<const Mechanism> mechanisms() noexcept { return kMechanisms; }

}  // namespace fiberscope::viewer
