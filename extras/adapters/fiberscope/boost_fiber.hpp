// Records the fibers of Boost.Fiber: an algorithm around any other.
//
//     fiberscope_open("mine.json", nullptr);
//     boost::fibers::use_scheduling_algorithm<fiberscope::recorded<boost::fibers::algo::round_robin>>();
//
// To be called once in each thread that runs fibers, after fiberscope::name_thread if the thread has a name. Fibers are
// symmetric: each switch is a swap, and the last one of a fiber a jump. A fiber is one coroutine on all threads that
// run it. The scheduler's ready fibers are in a set. fiberscope::name_fiber names the calling fiber.
#pragma once

#include <atomic>
#include <boost/fiber/algo/algorithm.hpp>
#include <boost/fiber/context.hpp>
#include <boost/fiber/detail/fss.hpp>
#include <string>
#include <utility>

#include <fiberscope/record.h>

namespace fiberscope {

namespace detail {
/// State of a fiber. Owned by the thread to which the scheduler assigns the fiber.
struct fiber {
    fiberscope_co number;
    fiberscope_state state = FIBERSCOPE_NEW;
    fiberscope_set queue = FIBERSCOPE_NONE;  ///< the set in which it is ready
};

/// State of a thread.
struct fibers {
    fiber main{FIBERSCOPE_NONE, FIBERSCOPE_RUNNING}, dispatcher{FIBERSCOPE_NONE};
    fiberscope_set queue = FIBERSCOPE_NONE;
    fiber* running = nullptr;
    const void* algorithm = nullptr;
    fiberscope_co ended = FIBERSCOPE_NONE;  ///< the running one, if it leaves for the last time
};
inline fibers& here() {
    static thread_local auto* one = new fibers;  // leaked: the dispatcher outlives the thread's variables
    return *one;
}

inline std::string next_name(const char* kind, std::atomic<unsigned>& count) {
    return std::string(kind) + " " + std::to_string(++count);
}

/// Called with the state of a fiber when it ends, while it still runs.
class fiber_end final : public boost::fibers::detail::fss_cleanup_function {
  public:
    void operator()(void* known) override {
        auto* ended = static_cast<fiber*>(known);
        here().ended = ended->number;
        here().running = nullptr;
        delete ended;
    }
    /// The key of each fiber's `fiber`, and what Boost shares.
    static const ptr_t& one() {
        static const ptr_t one(new fiber_end);
        return one;
    }
};

inline fiber& known(boost::fibers::context* context) {
    fibers& here = detail::here();
    if (context->is_context(boost::fibers::type::main_context)) return here.main;
    if (context->is_context(boost::fibers::type::dispatcher_context)) return here.dispatcher;
    const void* key = &fiber_end::one();
    if (void* found = context->get_fss_data(key)) return *static_cast<fiber*>(found);
    static std::atomic<unsigned> count{0};
    auto* made =
        new fiber{fiberscope_spawn(FIBERSCOPE_TASK, next_name("fiber", count).c_str(), here.running->number, 0)};
    context->set_fss_data(key, fiber_end::one(), made, false);
    return *made;
}
}  // namespace detail

/// Names the calling thread. By default the first thread is "main", and others are "thread 2", "thread 3".
inline void name_thread(const char* name) { fiberscope_thread(name); }

/// `Algorithm`: one of boost::fibers::algo, or your own.
template <class Algorithm>
class recorded : public Algorithm {
  public:
    template <class... Arguments>
    explicit recorded(Arguments&&... arguments) : Algorithm(std::forward<Arguments>(arguments)...) {
        static std::atomic<unsigned> count{0};
        const std::string name = detail::next_name("thread", count);
        detail::fibers& here = detail::here();
        here = {};
        here.main.number = fiberscope_thread(name == "thread 1" ? "main" : name.c_str());
        here.dispatcher.number = fiberscope_spawn(FIBERSCOPE_SCHEDULER, "dispatcher", here.main.number, 0);
        here.running = &here.main;
        here.algorithm = this;
        here.queue = fiberscope_declare("ready", FIBERSCOPE_ROLE_READY, FIBERSCOPE_QUEUE);
    }
    /// Boost destroys it when the last fiber of the thread has ended: the dispatcher, which goes back to main.
    ~recorded() override {
        detail::fibers& here = detail::here();
        if (here.algorithm != this) return;
        if (here.running == &here.dispatcher)
            fiberscope_switch(here.dispatcher.number, here.main.number, FIBERSCOPE_JUMP, FIBERSCOPE_DEAD, nullptr);
        fiberscope_thread_end();
    }

    void awakened(boost::fibers::context* context) noexcept override {
        enter_active();
        make_ready(detail::known(context));
        Algorithm::awakened(context);
    }

    /// The scheduler switches to what this returns.
    boost::fibers::context* pick_next() noexcept override {
        enter_active();
        boost::fibers::context* const next = Algorithm::pick_next();
        if (next != nullptr) enter(next);
        return next;
    }

    void suspend_until(const std::chrono::steady_clock::time_point& time) noexcept override {
        fiberscope_park("a fiber that is ready");
        Algorithm::suspend_until(time);
        fiberscope_unpark();
    }

  private:
    static void make_ready(detail::fiber& fiber) {
        detail::fibers& here = detail::here();
        if (fiber.state == FIBERSCOPE_READY || fiber.state == FIBERSCOPE_RUNNING) return;
        const auto cause = fiber.state == FIBERSCOPE_NEW ? FIBERSCOPE_SPAWNED : FIBERSCOPE_NO_CAUSE;
        fiberscope_set_state(fiber.number, fiber.state, FIBERSCOPE_READY, cause);
        fiberscope_insert(here.queue, fiber.number, nullptr);
        fiber.state = FIBERSCOPE_READY;
        fiber.queue = here.queue;
    }

    /// Boost enters a fiber of launch::dispatch without calling the algorithm.
    static void enter_active() {
        if (detail::here().running != nullptr) enter(boost::fibers::context::active());
    }

    /// Boost makes a yielding fiber ready after the switch, and does not give the reason for a switch before it, except
    /// that a fiber waits for a time.
    static void enter(boost::fibers::context* next) {
        detail::fibers& here = detail::here();
        detail::fiber& fiber = detail::known(next);
        if (&fiber == here.running) return;
        if (fiber.queue != FIBERSCOPE_NONE)
            fiberscope_remove(std::exchange(fiber.queue, FIBERSCOPE_NONE), fiber.number);
        if (here.running == nullptr) {
            fiberscope_switch(here.ended, fiber.number, FIBERSCOPE_JUMP, FIBERSCOPE_DEAD, nullptr);
        } else {
            const bool limited = boost::fibers::context::active()->sleep_is_linked();
            here.running->state = limited ? FIBERSCOPE_WAITING : FIBERSCOPE_SUSPENDED;
            fiberscope_switch(here.running->number, fiber.number, FIBERSCOPE_SWAP, here.running->state,
                              limited ? "its time, or an event" : nullptr);
        }
        here.running = &fiber;
        fiber.state = FIBERSCOPE_RUNNING;
    }
};

/// Names the calling fiber.
inline void name_fiber(const char* name) {
    if (detail::here().running != nullptr) fiberscope_name(detail::here().running->number, name);
}

}  // namespace fiberscope
