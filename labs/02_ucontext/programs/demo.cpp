// Demos of lab 02. Each writes a trace.
#include "labs/kit/demo/demo.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "labs/01_switch_asm/context.h"
#include "labs/02_ucontext/coroutine.h"
#include "labs/02_ucontext/fiber.h"
#include "labs/02_ucontext/given/system_calls.h"
#include "labs/02_ucontext/pool.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"

using namespace fiberscope;
using namespace fiberscope::lab02;
using kit::DemoOptions;
using kit::note;
using kit::State;
using kit::work;
using trace::Why;

namespace {

constexpr std::uint64_t kMicrosecond = 1000;

kit::Core& running_core() { return *kit::this_thread().current; }

// ---- four_calls: getcontext, setcontext, makecontext, swapcontext, and uc_link ----------------------------------

void get_and_set() {
    note("getcontext saves where we are");
    ucontext_t here;
    static int came_out;  // not a local: a register that holds it would be restored too
    came_out = 0;
    getcontext(&here);
    ++came_out;
    work(kMicrosecond);
    note("control comes out of getcontext, time number {0}", came_out);
    if (came_out < 3) {
        note("setcontext goes back there; no other context is involved, so there is no switch");
        setcontext(&here);
    }
}

struct Visit {
    kit::Core* origin;
    RawContext* other = nullptr;
};

void jump_away(void* argument) {
    const auto& visit = *static_cast<Visit*>(argument);
    work(2 * kMicrosecond);
    note("setcontext to the second: I am not saved, so nothing can come back here");
    jump_to(running_core(), *visit.other, {Why::jump, State::dead});
}

void swap_and_end(void* argument) {
    const auto& visit = *static_cast<Visit*>(argument);
    work(2 * kMicrosecond);
    note("swapcontext to main: I am saved, and can go on later");
    switch_to(running_core(), *visit.origin, {Why::swap, State::suspended});
    work(2 * kMicrosecond);
    note("my function returns: uc_link says where to, and it is main");
}

void four_calls(const DemoOptions&) {
    get_and_set();
    kit::Core& origin = *kit::this_thread().own;
    Visit visit{&origin};
    note("makecontext: two contexts, each with a stack and a function; nothing runs yet");
    RawContext second("second", swap_and_end, &visit, &origin);
    RawContext first("first", jump_away, &visit);
    visit.other = &second;
    work(kMicrosecond);
    note("swapcontext to the first: main is saved");
    switch_to(origin, first, {Why::start, State::suspended});
    work(kMicrosecond);
    note("swapcontext to the second, which goes on where it was");
    switch_to(origin, second, {Why::swap, State::suspended});
    note("back in main by uc_link: no call of swapcontext named it");
}

// ---- fiber_scheduler: three contexts a thread -------------------------------------------------------------------

// sylar's states. Our `new` and `suspended` are both its READY.
constexpr const char* kSylarsWords[][2] = {
    {"READY", "ready"}, {"RUNNING", "running"}, {"TERM", "dead"}, {nullptr, nullptr}};

void fiber_scheduler(const DemoOptions&) {
    const auto labour = [](int rounds) {
        return [rounds] {
            for (int i = 0; i < rounds; ++i) {
                work(3 * kMicrosecond);
                if (i + 1 < rounds) Fiber::yield();
            }
        };
    };
    Scheduler scheduler;
    Fiber a(labour(3), {.name = "task a"}), b(labour(1), {.name = "task b"}), c(labour(2), {.name = "task c"});
    Fiber alone(labour(2), {.name = "outside the scheduler", .run_in_scheduler = false});
    note("run_in_scheduler is false: this one swaps with main");
    alone.resume();
    for (Fiber* task : {&a, &b, &c}) scheduler.schedule(*task);
    note("main gives the processor to its scheduler");
    scheduler.run();
    note("all tasks are done, the scheduler's function has returned to main");
    alone.resume();
    b.reset([] { work(2 * kMicrosecond); });
    note("task b is reset: another function on the same stack, and the scheduler's own fiber too");
    scheduler.schedule(b);
    scheduler.run();
}

// ---- pool: coroutine objects that come and go -------------------------------------------------------------------

// A pool of coroutines that records its contents and which coroutine reuses whose memory.
class TracedPool {
  public:
    Coroutine* acquire(const std::string& name, kit::Body body) {
        kit::Attributes attributes{.name = name};
        if (!free_.empty()) {  // the pool reuses the most recently released block
            attributes.reuses = free_.back();
            free_.pop_back();
            record(trace::Kind::remove, attributes.reuses);
        }
        return pool_.acquire(std::move(body), std::move(attributes));
    }
    void release(Coroutine* coroutine) {
        const std::uint32_t id = coroutine->id();
        pool_.release(coroutine);
        record(trace::Kind::insert, id);
        free_.push_back(id);
    }
    void note_use() const { note("{0} of {1} blocks in use", pool_.memory().in_use(), pool_.memory().blocks()); }

  private:
    void record(trace::Kind kind, std::uint32_t co) {
        if (!trace::recording()) return;
        if (set_ == trace::kNone)
            set_ = trace::declare_set(kit::now(), "free coroutines", trace::Role::pool, trace::Structure::queue);
        trace::record(kit::now(), trace::set_event(kind, set_, co, static_cast<std::int64_t>(free_.size())));
    }

    ObjectPool<Coroutine> pool_;
    std::vector<std::uint32_t> free_;  // IDs of dead coroutines whose blocks are free, reused from the back
    std::uint32_t set_ = trace::kNone;
};

void serve(int rounds) {
    for (int i = 0; i < rounds; ++i) {
        work(2 * kMicrosecond);
        if (i + 1 < rounds) yield();
    }
}

void pool(const DemoOptions&) {
    TracedPool pool;
    note("40 blocks are taken at the first use; every request is a coroutine in one of them");
    std::vector<Coroutine*> live;
    int requests = 0;
    for (int tick = 0; tick < 4 || !live.empty(); ++tick) {
        for (int i = 0; tick < 4 && i < 3; ++i, ++requests)
            live.push_back(pool.acquire("request " + std::to_string(requests + 1),
                                        [rounds = 1 + requests % 3] { serve(rounds); }));
        pool.note_use();
        for (Coroutine* coroutine : live) coroutine->resume();
        const auto ended = std::stable_partition(live.begin(), live.end(), [](const auto* co) { return !co->done(); });
        std::for_each(ended, live.end(), [&](Coroutine* coroutine) { pool.release(coroutine); });
        live.erase(ended, live.end());
        work(kMicrosecond);
    }
}

// ---- signal_mask: travels with a context, and what it costs ------------------------------------------------------

void note_mask(const char* where) {
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    note(sigismember(&now, SIGUSR1) == 1 ? "{0}: SIGUSR1 is blocked here" : "{0}: SIGUSR1 is not blocked here", where);
}

void block_and_go_back(void* origin) {
    note_mask("new");
    sigset_t more;
    sigemptyset(&more);
    sigaddset(&more, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &more, nullptr);
    note_mask("pthread_sigmask");
    switch_to(running_core(), *static_cast<kit::Core*>(origin), {Why::swap, State::suspended});
    note_mask("resumed");
}

// Round trips between two contexts without the kit, for a child that only counts.
alignas(16) std::byte count_stack[256 * 1024];
Context here_context, there_context;
lab01::Context here_switch, there_switch;

void swap_back(void*) {
    for (;;) here_context.swap_to_me(&there_context);
}
void switch_back(void*) {
    for (;;) lab01::_switch(&here_switch, &there_switch);
}

void swap_trips(int n) {
    there_context.make(count_stack, sizeof count_stack, swap_back, nullptr);
    for (int i = 0; i < n; ++i) there_context.swap_to_me(&here_context);
}
void switch_trips(int n) {
    lab01::make_context(there_switch, count_stack, sizeof count_stack, switch_back, nullptr);
    for (int i = 0; i < n; ++i) lab01::_switch(&there_switch, &here_switch);
}

// Calls of rt_sigprocmask in 1,000 switches: a difference, which cancels all other calls.
std::optional<std::uint64_t> calls_of_thousand(void (*trips)(int)) {
    const auto few = count_system_calls(SYS_rt_sigprocmask, [&] { trips(10); });
    const auto many = count_system_calls(SYS_rt_sigprocmask, [&] { trips(510); });
    if (!few || !many) return std::nullopt;
    return *many - *few;
}

void note_count(const char* what, std::optional<std::uint64_t> calls) {
    if (calls)
        note("1,000 switches by {0} make {1} calls of rt_sigprocmask", what, *calls);
    else
        note("no process may be traced here, so the system calls cannot be counted");
}

void signal_mask(const DemoOptions&) {
    kit::Core& origin = *kit::this_thread().own;
    RawContext careful("careful", block_and_go_back, &origin, &origin);
    note_mask("main");
    switch_to(origin, careful, {Why::start, State::suspended});
    note_mask("main");
    switch_to(origin, careful, {Why::swap, State::suspended});
    note_mask("main");
    note_count("swapcontext", calls_of_thousand(swap_trips));
    note_count("lab 01's _switch", calls_of_thousand(switch_trips));
}

constexpr kit::Demo kDemos[] = {
    {"four_calls", "getcontext, setcontext, makecontext, swapcontext, one after the other, and uc_link", four_calls},
    {"fiber_scheduler", "main, scheduler, tasks: three contexts per thread, as in sylar", fiber_scheduler,
     kSylarsWords},
    {"pool", "coroutine objects from a pool, reused", pool},
    {"signal_mask", "the signal mask travels with a context, and costs a system call per switch", signal_mask},
};

}  // namespace

int main(int argc, char** argv) { return kit::demo_main(argc, argv, kDemos); }
