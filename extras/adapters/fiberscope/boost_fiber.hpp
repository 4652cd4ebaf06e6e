// Records the fibers of Boost.Fiber: an algorithm around any other.
//
//     fiberscope_open("mine.json", nullptr);
//     boost::fibers::use_scheduling_algorithm<fiberscope::recorded<boost::fibers::algo::round_robin>>();
//
// Once in each thread that runs fibers. Fibers are equals: each switch is a swap, and the last one of a fiber a jump.
// Those that the scheduler calls "ready" stand in a set. A name is given by fiberscope::name_fiber, in the fiber.
#pragma once

#include <boost/fiber/algo/algorithm.hpp>
#include <boost/fiber/context.hpp>
#include <boost/fiber/fss.hpp>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include <fiberscope/record.h>

namespace fiberscope {

namespace detail {
/// What is known of the fibers of one thread.
struct fibers {
    struct known {
        fiberscope_co number;
        bool started = false, ready = false;
    };
    std::unordered_map<boost::fibers::context*, known> all;
    fiberscope_set queue = FIBERSCOPE_NONE;
    fiberscope_co running = FIBERSCOPE_NONE;
    unsigned count = 0;
    bool ended = false;  // the one that runs is leaving for the last time
};
inline fibers& here() {
    static thread_local auto* one = new fibers;  // kept: the dispatcher goes on while the thread's variables end
    return *one;
}

/// Destroyed when its fiber ends, while the fiber still runs.
struct last_breath {
    ~last_breath() { here().ended = true; }
};
inline boost::fibers::fiber_specific_ptr<last_breath>& breath() {
    static boost::fibers::fiber_specific_ptr<last_breath> one;
    return one;
}
}  // namespace detail

/// `Algorithm`: one of boost::fibers::algo, or your own.
template <class Algorithm>
class recorded : public Algorithm {
  public:
    template <class... Arguments>
    explicit recorded(Arguments&&... arguments) : Algorithm(std::forward<Arguments>(arguments)...) {
        detail::fibers& here = detail::here();
        here = {};
        here.running = fiberscope_thread("main");
        here.queue = fiberscope_declare("ready", FIBERSCOPE_ROLE_READY, FIBERSCOPE_QUEUE);
        here.all[boost::fibers::context::active()] = {here.running, true, false};
    }

    void awakened(boost::fibers::context* context) noexcept override {
        detail::fibers& here = detail::here();
        auto& fiber = known(context);
        if (!fiber.ready && fiber.number != here.running) {
            fiberscope_set_state(fiber.number, fiber.started ? FIBERSCOPE_WAITING : FIBERSCOPE_NEW, FIBERSCOPE_READY,
                                 fiber.started ? FIBERSCOPE_EVENT : FIBERSCOPE_SPAWNED);
            fiberscope_insert(here.queue, fiber.number, nullptr);
            fiber.ready = true;
        }
        Algorithm::awakened(context);
    }

    /// The scheduler switches to what this returns.
    boost::fibers::context* pick_next() noexcept override {
        boost::fibers::context* next = Algorithm::pick_next();
        if (next != nullptr) enter(next);
        return next;
    }

  private:
    static detail::fibers::known& known(boost::fibers::context* context) {
        detail::fibers& here = detail::here();
        const auto found = here.all.find(context);
        if (found != here.all.end()) return found->second;
        const bool dispatcher = context->is_context(boost::fibers::type::dispatcher_context);
        const std::string name = dispatcher ? "dispatcher" : "fiber " + std::to_string(++here.count);
        const fiberscope_co number =
            fiberscope_spawn(dispatcher ? FIBERSCOPE_SCHEDULER : FIBERSCOPE_TASK, name.c_str(), here.running, 0);
        return here.all[context] = {number, false, false};
    }

    static void enter(boost::fibers::context* next) {
        detail::fibers& here = detail::here();
        auto& fiber = known(next);
        if (fiber.ready) fiberscope_remove(here.queue, fiber.number);
        fiber.ready = false;
        fiber.started = true;
        if (fiber.number == here.running) return;
        fiberscope_switch(here.running, fiber.number, here.ended ? FIBERSCOPE_JUMP : FIBERSCOPE_SWAP,
                          here.ended ? FIBERSCOPE_DEAD : FIBERSCOPE_WAITING,
                          here.ended ? nullptr : "an event of Boost.Fiber");
        if (here.ended) here.all.erase(boost::fibers::context::active());
        here.running = fiber.number;
        here.ended = false;
    }
};

/// What a fiber calls first, so that its end is seen, and its words are shown.
inline void name_fiber(const char* name) {
    detail::breath().reset(new detail::last_breath);
    fiberscope_note(detail::here().running, name);
}

}  // namespace fiberscope
