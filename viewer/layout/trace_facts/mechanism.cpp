#include "viewer/layout/trace_facts/mechanism.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "traces/words/registers.h"
#include "viewer/layout/trace_facts/members.h"

namespace fiberscope::viewer {
namespace {

using trace::Chosen;
using trace::State;

enum Entry : std::size_t {
    raw_switch,
    resume_01,
    yield_01,
    finish_01,
    resume_02,
    yield_02,
    finish_02,
    swap_02,
    link_02,
    fiber_resume,
    fiber_yield,
    fiber_finish,
    fiber_loop,
    resume_03,
    yield_03,
    finish_03,
    owners_resume,
    owners_yield,
    owners_finish,
    make_ready,
    sleeping,
    waiting,
    producer_consumer,
    multi_state,
    sylar,
    sylar_loop,
    sylar_caller,
    netco,
    go,
    steal,
    event_loop,
    hand_off,
    hand_off_loop,
    deque,
    by_state,
    sleep_for,
    wait_for,
    take_lock,
    at_channel,
    in_select,
    in_line,
    until_completed,
    until_done,
    polled,
    wait_event,
    hooked_call,
    count
};

constexpr std::array<Mechanism, count> kMechanisms{{
    {"step 1.2", "labs/01_switch_asm/README.md#step-12-_switch-swap-two-contexts",
     "labs/01_switch_asm/exercise/switch_x86_64.S", "_switch:"},
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
    {"step 2.2", "labs/02_ucontext/README.md#step-22-lab-01s-coroutine-on-it",
     "labs/02_ucontext/exercise/coroutine.cpp", "void Coroutine::finish()"},
    {"step 2.1", "labs/02_ucontext/README.md#step-21-a-context", "labs/02_ucontext/exercise/context.cpp",
     "void Context::swap_to_me("},
    {"step 2.3", "labs/02_ucontext/README.md#step-23-where-the-end-of-a-function-goes",
     "labs/02_ucontext/exercise/context.cpp", "void Context::make("},
    {"step 2.4", "labs/02_ucontext/README.md#step-24-sylars-fibers", "labs/02_ucontext/exercise/fiber.cpp",
     "void Fiber::resume("},
    {"step 2.4", "labs/02_ucontext/README.md#step-24-sylars-fibers", "labs/02_ucontext/exercise/fiber.cpp",
     "void Fiber::yield("},
    {"step 2.4", "labs/02_ucontext/README.md#step-24-sylars-fibers", "labs/02_ucontext/exercise/fiber.cpp",
     "void Fiber::finish("},
    {"step 2.4", "labs/02_ucontext/README.md#step-24-sylars-fibers", "labs/02_ucontext/exercise/fiber.cpp",
     "void Scheduler::loop("},
    {"step 3.3", "labs/03_shared_stack/README.md#step-33-the-schedule", "labs/03_shared_stack/exercise/schedule.cpp",
     "void Schedule::resume("},
    {"step 3.3", "labs/03_shared_stack/README.md#step-33-the-schedule", "labs/03_shared_stack/exercise/schedule.cpp",
     "void Schedule::yield()"},
    {"step 3.3", "labs/03_shared_stack/README.md#step-33-the-schedule", "labs/03_shared_stack/exercise/schedule.cpp",
     "void Schedule::finish("},
    {"step 3.4", "labs/03_shared_stack/README.md#step-34-k-stacks-with-owners",
     "labs/03_shared_stack/exercise/coroutine.cpp", "void Coroutine::resume_until_yield()"},
    {"step 3.4", "labs/03_shared_stack/README.md#step-34-k-stacks-with-owners",
     "labs/03_shared_stack/exercise/coroutine.cpp", "void yield_to_resumer("},
    {"step 3.4", "labs/03_shared_stack/README.md#step-34-k-stacks-with-owners",
     "labs/03_shared_stack/exercise/coroutine.cpp", "void Coroutine::finish()"},
    {"step 4.1", "labs/04_scheduler/README.md#step-41-the-scheduler-and-its-ready-queue",
     "labs/04_scheduler/exercise/scheduler.cpp", "bool Scheduler::make_ready("},
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
    {"step 4.6", "labs/04_scheduler/README.md#step-46-sylars-scheduler", "labs/04_scheduler/exercise/sylar.cpp",
     "void Sylar::schedule_tasks("},
    {"step 4.6", "labs/04_scheduler/README.md#step-46-sylars-scheduler", "labs/04_scheduler/given/sylar.cpp",
     "void Sylar::run_on_caller("},
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
    {"step 4.12", "labs/04_scheduler/README.md#step-412-hand-off", "labs/04_scheduler/exercise/hand_off.cpp",
     "void HandOff::run("},
    {"step 4.19", "labs/04_scheduler/README.md#step-419-a-deque-without-a-lock", "labs/04_scheduler/exercise/deque.cpp",
     "Task* GoDeques::next("},
    {"step 4.1", "labs/04_scheduler/README.md#step-41-the-scheduler-and-its-ready-queue",
     "labs/04_scheduler/exercise/scheduler.cpp", "void Scheduler::insert_by_state("},
    {"step 4.2", "labs/04_scheduler/README.md#step-42-the-sleep-tree", "labs/04_scheduler/exercise/sleep_tree.cpp",
     "Wake sleep_for("},
    {"step 4.3", "labs/04_scheduler/README.md#step-43-the-wait-tree", "labs/04_scheduler/exercise/wait_tree.cpp",
     "Wake wait_for("},
    {"step 4.10", "labs/04_scheduler/README.md#step-410-a-lock-for-readers-and-writers",
     "labs/04_scheduler/exercise/rw_mutex.cpp", "bool RWMutex::take("},
    {"step 4.13", "labs/04_scheduler/README.md#step-413-channels", "labs/04_scheduler/exercise/channel.cpp",
     "Outcome ChannelCore::wait("},
    {"step 4.14", "labs/04_scheduler/README.md#step-414-select", "labs/04_scheduler/exercise/select.cpp",
     "Operation* Select::wait_for_one("},
    {"step 6.6", "labs/06_timers/README.md#step-66-a-condition-variable", "labs/06_timers/exercise/condition.cpp",
     "lab04::Wake Condition::stand_in_line("},
    {"step 5.8", "labs/05_epoll_io/README.md#step-58-completion-io_uring", "labs/05_epoll_io/exercise/uring.cpp",
     "int UringSource::perform("},
    {"step 5.2", "labs/05_epoll_io/README.md#step-52-calls-that-park", "labs/05_epoll_io/exercise/io.cpp",
     "long until_done("},
    {"step 5.3", "labs/05_epoll_io/README.md#step-53-poll", "labs/05_epoll_io/exercise/poll.cpp", "int io::poll("},
    {"step 5.4", "labs/05_epoll_io/README.md#step-54-an-io-manager", "labs/05_epoll_io/exercise/io_manager.cpp",
     "Wake IOManager::wait_event("},
    {"step 5.5", "labs/05_epoll_io/README.md#step-55-the-hook", "labs/05_epoll_io/exercise/hook.cpp", "long blocking("},
}};

/// When a Taking is the one that chose.
enum class If : std::uint8_t { always, by_task, own_waits, by_thief, younger, others_behind, idle, loop };
/// Which line of which function takes from the sets whose names begin so, by what runs: a loop of lab 04, or what
/// enters a coroutine in the labs below. The first that holds.
struct Taking {
    Entry loop;
    std::string_view set, inside;
    Entry function;
    If when = If::always;
};
constexpr std::array kTakings{Taking{fiber_resume, "tasks", "tasks_.pop()", fiber_loop},
                              Taking{producer_consumer, "ready", "ready().pop()", producer_consumer},
                              Taking{multi_state, "ready", "ready().pop()", multi_state},
                              Taking{multi_state, "sleeping", "sched.expired(", multi_state},
                              Taking{multi_state, "waiting", "sched.waiter(", multi_state},
                              Taking{event_loop, "ready", "ready().pop()", event_loop},
                              Taking{hand_off, "ready", "ready().pop()", hand_off, If::by_task},
                              Taking{hand_off, "ready", "ready().pop()", hand_off_loop},
                              Taking{sylar, "ready", "ready().pop_first(", sylar},
                              Taking{sylar, "", "resume_idle(", sylar_loop, If::idle},
                              Taking{sylar, "", "scheduler.resume()", sylar_caller, If::loop},
                              Taking{netco, "expired", "expired.pop()", netco},
                              Taking{netco, "new", "fresh.pop()", netco},
                              Taking{netco, "active", "ready().pop()", netco},
                              Taking{go, "runnable", "return mine.runnable.pop()", steal, If::by_thief},
                              Taking{go, "runnable", "pop_local(", go},
                              Taking{go, "ready", "% kGlobalFirst", go, If::own_waits},
                              Taking{go, "ready", "pop_global(", go},
                              Taking{deque, "runnable", "steal_from_others(", deque, If::by_thief},
                              Taking{deque, "runnable", "take_newest(", deque, If::younger},
                              Taking{deque, "runnable", "take_oldest(", deque, If::others_behind},
                              Taking{deque, "runnable", "", deque},
                              Taking{deque, "ready", "turn == 0", deque, If::own_waits},
                              Taking{deque, "ready", "take_global(", deque}};

struct Strategy {
    std::string_view name;
    Entry entry;
};
/// By the name of a strategy, of a system of lab 05, or of a program that has only one.
constexpr std::array kStrategies{Strategy{"multi_state", multi_state},
                                 Strategy{"ntyco", multi_state},
                                 Strategy{"sylar", sylar},
                                 Strategy{"io_manager", sylar},
                                 Strategy{"netco", netco},
                                 Strategy{"go", go},
                                 Strategy{"go_p", go},
                                 Strategy{"deque", deque},
                                 Strategy{"libco", event_loop},
                                 Strategy{"event_loop", event_loop},
                                 Strategy{"hand_off", hand_off}};

bool scheduled(const trace::Head& head) noexcept {
    return head.lab == "04_scheduler" || head.lab == "05_epoll_io" || head.lab == "06_timers";
}

/// The loop that takes tasks out of the ready queue.
Entry loop_of(const trace::Head& head) noexcept {
    for (const Strategy& strategy : kStrategies)
        if (head.strategy == strategy.name || head.program == strategy.name) return strategy.entry;
    return producer_consumer;
}

/// What moves control: to one that is entered, away from one that goes on later, away from one that has ended.
struct Ways {
    Entry in, out, end;
};
/// Of the labs below the schedulers, which show more than one mechanism: by program. Nothing of one that shows two.
std::optional<Ways> ways_of(const trace::Head& head) noexcept {
    if (head.lab == "01_switch_asm")
        return head.program == "two_contexts" ? Ways{raw_switch, raw_switch, raw_switch}
                                              : Ways{resume_01, yield_01, finish_01};
    if (head.lab == "02_ucontext") {
        if (head.program == "fiber_scheduler") return Ways{fiber_resume, fiber_yield, fiber_finish};
        return head.program == "four_calls" || head.program == "signal_mask" ? Ways{swap_02, swap_02, link_02}
                                                                             : Ways{resume_02, yield_02, finish_02};
    }
    if (head.lab != "03_shared_stack" || head.program == "states") return std::nullopt;
    return head.program == "interleave" ? Ways{resume_03, yield_03, finish_03}
                                        : Ways{owners_resume, owners_yield, owners_finish};
}

struct Waits {
    std::string_view reason;
    Entry entry;
};
/// By how the words begin in which a task says what it waits for.
constexpr std::array kWaysToWait{Waits{"the lock '", take_lock},
                                 Waits{"a value from the channel '", at_channel},
                                 Waits{"a receiver at the channel '", at_channel},
                                 Waits{"room in the channel '", at_channel},
                                 Waits{"one of: ", in_select},
                                 Waits{"the completion of ", until_completed}};

/// What a task does that waits, in a wait tree or not. One that parks for a reason of its own stands in no set:
/// insert_by_state tells that.
Entry wait_of(const trace::Head& head, std::string_view reason, bool in_tree) noexcept {
    for (const Waits& waits : kWaysToWait)
        if (reason.starts_with(waits.reason)) return waits.entry;
    const bool in_basket = head.lab == "06_timers" && head.program == "producer_consumer" && reason != "a timer";
    if (in_basket) return in_line;
    if (!reason.starts_with("fd ")) return by_state;
    if (head.lab == "04_scheduler") return wait_for;
    if (head.program == "hooked") return hooked_call;
    const bool managed = loop_of(head) == sylar;  // only the IO manager itself waits in the tree
    return in_tree ? managed ? wait_for : until_done : managed ? wait_event : polled;
}

/// What a coroutine calls that leaves in that state, for that reason; nothing if no lab tells of it.
std::optional<Entry> leaving(const trace::Head& head, State left, std::string_view reason = {},
                             bool in_tree = true) noexcept {
    if (scheduled(head))
        return left == State::waiting ? wait_of(head, reason, in_tree) : left == State::sleeping ? sleep_for : by_state;
    const std::optional<Ways> ways = ways_of(head);
    return ways ? std::optional(left == State::dead ? ways->end : ways->out) : std::nullopt;
}

std::optional<Mechanism> of(std::optional<Entry> entry) noexcept {
    return entry ? std::optional(kMechanisms[*entry]) : std::nullopt;
}

/// Most events that are looked at for what happened shortly before a decision.
constexpr std::size_t kNear = 10'000;

/// Whether the machine of event n has stolen since it left its last task: what it moved first it runs at once.
bool took_by_theft(const trace::Trace& trace, std::size_t n) noexcept {
    for (std::size_t i = n; i-- > 0 && n - i <= kNear;) {
        const trace::Event e = trace[i];
        if (e.m != trace[n].m) continue;
        if (e.kind == trace::Kind::switch_) return false;
        if (e.kind == trace::Kind::machine && e.first<trace::MachineOp>() == trace::MachineOp::steal) return true;
    }
    return false;
}

/// Whether a task stood in the queue of machine `m` itself when event n came: then it was passed over.
bool own_waited(const trace::Replay& replay, std::int64_t m, std::size_t n) noexcept {
    for (const trace::SetNow& set : replay.sets()) {
        if (set.role != trace::Role::ready || set.owner != m || replay.at() < n || replay.at() - n > kNear) continue;
        auto waiting = static_cast<std::int64_t>(set.members.size());
        for (std::size_t k = n; k < replay.at(); ++k) {
            const trace::Event e = replay.trace()[k];
            if (e.set == set.index) waiting -= (e.kind == trace::Kind::insert) - (e.kind == trace::Kind::remove);
        }
        return waiting > 0;
    }
    return false;
}

bool holds(If when, const trace::Replay& replay, const trace::Choice& choice) noexcept {
    switch (when) {
    case If::always: return choice.set != trace::kNone;
    case If::by_task: return replay.coroutine(choice.by).kind == trace::CoKind::task;
    case If::own_waits: return own_waited(replay, replay.trace()[choice.event].m, choice.taken);
    case If::by_thief: return took_by_theft(replay.trace(), choice.event);
    case If::younger: return choice.why == Chosen::younger;
    case If::others_behind: return choice.behind > 0;
    case If::idle: return choice.why == Chosen::idle;
    case If::loop: return choice.why == Chosen::loop;
    }
    return false;
}

}  // namespace

std::optional<Mechanism> line_that_chose(const trace::Replay& replay, std::size_t event) {
    const trace::Trace& trace = replay.trace();
    const trace::Choice choice = trace::choice_at(replay, event);
    if (choice.why == Chosen::back) {
        const trace::Event e = trace[event];
        return of(leaving(trace.head, e.second<State>(), e.text == trace::kNone ? "" : trace.text(e.text).bytes(),
                          waits_in_tree(replay, e.co, event)));
    }
    if (trace::sends_to_unwind(trace, event)) return std::nullopt;
    const std::optional<Ways> ways = ways_of(trace.head);
    if (!ways && !scheduled(trace.head)) return std::nullopt;
    const Entry loop = ways ? ways->in : loop_of(trace.head);
    const std::string_view set = choice.set == trace::kNone ? "" : trace.set_name(choice.set).bytes();
    for (const Taking& taking : kTakings) {
        if (taking.loop != loop || !set.starts_with(taking.set) || !holds(taking.when, replay, choice)) continue;
        Mechanism out = kMechanisms[taking.function];
        out.inside = taking.inside;
        return out;
    }
    return ways ? of(ways->in) : std::nullopt;
}

std::optional<Mechanism> mechanism_of(const trace::Head& head, State state, std::string_view reason,
                                      bool in_tree) noexcept {
    const std::optional<Ways> ways = ways_of(head);
    switch (state) {
    case State::ready: return scheduled(head) ? of(make_ready) : std::nullopt;
    case State::sleeping: return scheduled(head) ? of(sleeping) : std::nullopt;
    case State::waiting: {
        const bool of_descriptor = reason.empty() || reason.starts_with("fd ");
        return scheduled(head) ? of(of_descriptor && in_tree ? waiting : wait_of(head, reason, in_tree)) : std::nullopt;
    }
    case State::normal: return scheduled(head) ? of(loop_of(head)) : ways ? of(ways->in) : std::nullopt;
    case State::suspended: return of(leaving(head, state));
    case State::dead: return head.lab == "01_switch_asm" ? of(finish_01) : std::nullopt;
    case State::new_:
    case State::running: break;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> switch_before(const trace::Trace& trace, std::span<const std::uint32_t> switches,
                                           std::size_t at) {
    for (auto next = std::lower_bound(switches.begin(), switches.end(), at); next != switches.begin();)
        if (trace[*--next].m == trace[at - 1].m) return *next;
    return std::nullopt;
}

std::optional<Mechanism> line_before(const trace::Replay& replay, std::span<const std::uint32_t> switches,
                                     std::size_t at) {
    const auto found = switch_before(replay.trace(), switches, at);
    return found ? line_that_chose(replay, *found) : std::nullopt;
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
