#include "viewer/layout/trace_facts/handout.h"

#include <array>

namespace fiberscope::viewer {
namespace {

/// Programs first, then strategies: the first that fits is taken; an empty name fits any trace of its lab.
constexpr std::array kHandouts{
    Handout{"01_switch_asm", "two_contexts", "step 1.2",
            "labs/01_switch_asm/README.md#step-12-_switch-swap-two-contexts",
            "labs/01_switch_asm/exercise/switch_x86_64.S"},
    Handout{"01_switch_asm", "", "step 1.3", "labs/01_switch_asm/README.md#step-13-resume-and-yield",
            "labs/01_switch_asm/exercise/coroutine.cpp"},
    Handout{"02_ucontext", "fiber_scheduler", "step 2.4", "labs/02_ucontext/README.md#step-24-sylars-fibers",
            "labs/02_ucontext/exercise/fiber.cpp"},
    Handout{"02_ucontext", "pool", "step 2.5", "labs/02_ucontext/README.md#step-25-netcos-pools",
            "labs/02_ucontext/exercise/pool.cpp"},
    Handout{"02_ucontext", "four_calls", "step 2.1", "labs/02_ucontext/README.md#step-21-a-context",
            "labs/02_ucontext/exercise/context.cpp"},
    Handout{"02_ucontext", "signal_mask", "step 2.3",
            "labs/02_ucontext/README.md#step-23-where-the-end-of-a-function-goes",
            "labs/02_ucontext/exercise/context.cpp"},
    Handout{"02_ucontext", "", "step 2.2", "labs/02_ucontext/README.md#step-22-lab-01s-coroutine-on-it",
            "labs/02_ucontext/exercise/coroutine.cpp"},
    Handout{"03_shared_stack", "interleave", "step 3.3", "labs/03_shared_stack/README.md#step-33-the-schedule",
            "labs/03_shared_stack/exercise/schedule.cpp"},
    Handout{"03_shared_stack", "", "step 3.4", "labs/03_shared_stack/README.md#step-34-k-stacks-with-owners",
            "labs/03_shared_stack/exercise/coroutine.cpp"},
    Handout{"04_scheduler", "event_loop", "step 4.9", "labs/04_scheduler/README.md#step-49-libcos-event-loop",
            "labs/04_scheduler/exercise/event_loop.cpp"},
    Handout{"04_scheduler", "task_local", "step 4.11", "labs/04_scheduler/README.md#step-411-what-belongs-to-one-task",
            "labs/04_scheduler/exercise/task_local.cpp"},
    Handout{"04_scheduler", "channels", "step 4.13", "labs/04_scheduler/README.md#step-413-channels",
            "labs/04_scheduler/exercise/channel.cpp"},
    Handout{"04_scheduler", "interpreter", "step 4.15",
            "labs/04_scheduler/README.md#step-415-the-interpreters-coroutine",
            "labs/04_scheduler/exercise/interpreter.cpp"},
    Handout{"04_scheduler", "stackless", "step 4.18", "labs/04_scheduler/README.md#step-418-stackless-c20s-coroutines",
            "labs/04_scheduler/exercise/stackless.cpp"},
    Handout{"04_scheduler", "hog_preempted", "step 4.17", "labs/04_scheduler/README.md#step-417-preemption-by-a-signal",
            "labs/04_scheduler/exercise/preemption.cpp"},
    Handout{"04_scheduler", "readers_writers", "step 4.10",
            "labs/04_scheduler/README.md#step-410-a-lock-for-readers-and-writers",
            "labs/04_scheduler/exercise/rw_mutex.cpp"},
    Handout{"04_scheduler", "producer_consumer", "step 4.4",
            "labs/04_scheduler/README.md#step-44-producers-and-a-consumer",
            "labs/04_scheduler/exercise/producer_consumer.cpp"},
    Handout{"04_scheduler", "multi_state", "step 4.5", "labs/04_scheduler/README.md#step-45-the-multi-state-loop",
            "labs/04_scheduler/exercise/multi_state.cpp"},
    Handout{"04_scheduler", "sylar", "step 4.6", "labs/04_scheduler/README.md#step-46-sylars-scheduler",
            "labs/04_scheduler/exercise/sylar.cpp"},
    Handout{"04_scheduler", "netco", "step 4.7", "labs/04_scheduler/README.md#step-47-netcos-processors",
            "labs/04_scheduler/exercise/netco.cpp"},
    Handout{"04_scheduler", "go", "step 4.8", "labs/04_scheduler/README.md#step-48-machines-and-gs",
            "labs/04_scheduler/exercise/go_machine.cpp"},
    Handout{"04_scheduler", "hand_off", "step 4.12", "labs/04_scheduler/README.md#step-412-hand-off",
            "labs/04_scheduler/exercise/hand_off.cpp"},
    Handout{"04_scheduler", "go_p", "step 4.16",
            "labs/04_scheduler/README.md#step-416-a-blocked-thread-gives-its-work-away",
            "labs/04_scheduler/exercise/go_processors.cpp"},
    Handout{"04_scheduler", "deque", "step 4.19", "labs/04_scheduler/README.md#step-419-a-deque-without-a-lock",
            "labs/04_scheduler/exercise/deque.cpp"},
    Handout{"05_epoll_io", "edges", "step 5.1", "labs/05_epoll_io/README.md#step-51-the-poller",
            "labs/05_epoll_io/exercise/epoller.cpp"},
    Handout{"05_epoll_io", "clients", "step 5.6", "labs/05_epoll_io/README.md#step-56-echo-servers",
            "labs/05_epoll_io/exercise/servers.cpp"},
    Handout{"05_epoll_io", "hooked", "step 5.5", "labs/05_epoll_io/README.md#step-55-the-hook",
            "labs/05_epoll_io/exercise/hook.cpp"},
    Handout{"05_epoll_io", "io_manager", "step 5.4", "labs/05_epoll_io/README.md#step-54-an-io-manager",
            "labs/05_epoll_io/exercise/io_manager.cpp"},
    Handout{"05_epoll_io", "uring", "step 5.8", "labs/05_epoll_io/README.md#step-58-completion-io_uring",
            "labs/05_epoll_io/exercise/uring.cpp"},
    Handout{"05_epoll_io", "", "step 5.2", "labs/05_epoll_io/README.md#step-52-calls-that-park",
            "labs/05_epoll_io/exercise/io.cpp"},
    Handout{"06_timers", "producer_consumer", "step 6.6", "labs/06_timers/README.md#step-66-a-condition-variable",
            "labs/06_timers/exercise/condition.cpp"},
    Handout{"06_timers", "idle_timeouts", "step 6.7", "labs/06_timers/README.md#step-67-limits-in-use",
            "labs/06_timers/exercise/idle.cpp"},
    Handout{"06_timers", "tree", "step 6.1", "labs/06_timers/README.md#step-61-the-interface-and-the-sleep-tree",
            "labs/06_timers/exercise/tree_store.cpp"},
    Handout{"06_timers", "heap", "step 6.2", "labs/06_timers/README.md#step-62-the-heap-and-the-manager",
            "labs/06_timers/exercise/heap_store.cpp"},
    Handout{"06_timers", "", "step 6.3", "labs/06_timers/README.md#step-63-the-timing-wheel",
            "labs/06_timers/exercise/wheel_store.cpp"}};

}  // namespace

const Handout* handout_of(const trace::Head& head) noexcept {
    for (const Handout& entry : kHandouts)
        if (entry.lab == head.lab &&
            (head.program.bytes().starts_with(entry.name) || entry.name == head.strategy.bytes()))
            return &entry;
    return nullptr;
}

std::span<const Handout> handouts() noexcept { return kHandouts; }

}  // namespace fiberscope::viewer
