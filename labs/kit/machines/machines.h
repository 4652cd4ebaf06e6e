// The machines of one scheduler: threads that begin and end together, and park when they have nothing to run. Under the
// virtual clock only one of them runs at a time: they pass a baton, which goes to the machine whose clock is furthest
// behind. So runs of several machines are reproducible to the byte, and more machines take less virtual time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <vector>

#include "labs/kit/machines/choice.h"
#include "labs/kit/time/never.h"

namespace fiberscope::kit {

/// Thrown if every machine is parked without a limit, so that none is left to unpark another.
struct AllParked : std::logic_error {
    AllParked() : std::logic_error("every machine is parked, and none is left to unpark one") {}
};

class Lock;

/// Queries of an explorer to the code that runs on the machines. Called while no machine runs, without any lock.
struct Watch {
    /// Describes what machine `i` could run now; empty if nothing.
    std::function<std::string(unsigned)> work_for;
    /// The time, ns, at which the first sleeper must be woken; kNever if none sleeps.
    std::function<std::uint64_t()> first_deadline;
};

class Machines {
  public:
    /// `count` is at least 1. `seed` decides the order of machines whose virtual clocks are equal.
    explicit Machines(unsigned count, std::uint64_t seed = 1);
    ~Machines();
    Machines(const Machines&) = delete;
    Machines& operator=(const Machines&) = delete;

    unsigned count() const noexcept { return static_cast<unsigned>(machines_.size()); }

    /// Runs body(i) on every machine i; 0 is the calling thread, the others are new threads. Returns when all have
    /// returned. Rethrows the first exception that escapes a body; the other machines are then thrown out of park.
    /// Under the virtual clock the caller's time is afterwards that of the machine that took longest. Throws
    /// std::system_error if a thread cannot be created.
    void run(const std::function<void(unsigned)>& body);

    /// Called on a machine: waits until the machine is unparked, or until `until` (ns). Returns at once if it was
    /// unparked before. Returns whether it was unparked. Throws AllParked in all machines if each of them is parked
    /// without a limit.
    bool park(std::uint64_t until = kNever);
    /// Called from any thread: lets machine `index` leave its park, or skip the next one. Its clock is then not behind
    /// the caller's.
    void unpark(unsigned index);

    /// Called on a machine under the virtual clock, whenever time has advanced and no lock is held: lets machines whose
    /// clocks are behind run first. A no-op elsewhere.
    static void pace(Act act = Act::work, const void* object = nullptr) {
        if (explorer() != nullptr) [[unlikely]]
            return choice(act, object);
        if (Machines* all = of_this_thread(); all != nullptr) all->pass_the_baton();
    }
    /// Sets the queries for an explored run(), which detect machines that sleep although there is work. `watch` must
    /// outlive the run.
    void watch(const Watch* watch) noexcept { watch_ = watch; }
    /// The machines that the calling thread belongs to, or null.
    static Machines* of_this_thread() noexcept;

  private:
    friend void detail::come_to(Act act, const void* object);
    friend class Lock;

    struct MachineThread;
    struct Stopped {};  // thrown out of park when another machine has failed

    void run_one(unsigned index, const std::function<void(unsigned)>& body) noexcept;
    void begin(unsigned index);
    void end(unsigned index) noexcept;
    void start_others(const std::function<void(unsigned)>& body);
    void pass_the_baton();
    unsigned furthest_behind();
    void give_turn(std::unique_lock<std::mutex>& lock, MachineThread& self);
    bool park_in_turn(std::unique_lock<std::mutex>& lock, MachineThread& self);
    bool park_for_real(std::unique_lock<std::mutex>& lock, MachineThread& self, std::uint64_t until);
    bool all_parked() const noexcept;
    // While an explorer decides (by_choice.cpp)
    void come_to(Act act, const void* object);
    unsigned next_turn();
    unsigned chosen_turn();
    bool can_go_on(unsigned i) const;
    std::vector<std::uint8_t> options() const;
    void check_sleepers() const;
    void check_deadline(unsigned chosen) const;
    [[noreturn]] void fail_as_deadlock() const;
    void take(Lock& lock);
    void give_back(const Lock& lock);
    // Where a lock costs virtual time (lock_cost.cpp)
    void take_at_a_cost(Lock& lock);
    bool try_take_at_a_cost(Lock& lock);
    static void pay_for(Lock& lock);
    static std::uint64_t free_from(const Lock& lock);  // ns
    bool has_stopped() noexcept;
    void fail(std::exception_ptr why) noexcept;

    std::mutex mutex_;  // guards all members below
    std::vector<std::unique_ptr<MachineThread>> machines_;
    std::mt19937_64 random_;
    unsigned turn_ = 0;
    std::exception_ptr failure_;
    bool stopped_ = false;
    const Watch* watch_ = nullptr;
};

}  // namespace fiberscope::kit
