// The checker's model of the traced program. Independent of the replay, so that a bug in one of them shows as a
// difference.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "languages/say.h"
#include "traces/check/checker.h"
#include "traces/check/tree_check.h"
#include "traces/read/printable.h"

namespace fiberscope::trace {

/// Whether a coroutine that has ended may be in such a set. A buffer's members are values, named by their sender.
constexpr bool may_hold_the_dead(Role role) noexcept {
    return role == Role::buffer || role == Role::removed || role == Role::pool;
}

class Checker {
  public:
    explicit Checker(const Trace& trace);
    std::optional<Broken> run();

  private:
    /// Thrown inside the checker when an invariant is broken.
    struct Breach {
        int invariant;
        std::string why;
    };
    struct Coroutine {
        bool exists = false;
        bool entered = false;          // it has run
        std::uint64_t entered_at = 0;  // ns, start of its current or last run
        State state = State::new_;
        Backend backend = Backend::none;
        std::uint32_t machine = kNone;  // on which it runs
        std::uint32_t caller = kNone;   // its resumer
        std::int64_t until = kAbsent;
        std::uint32_t ready_sets = 0;       // sets of role ready that it is in
        std::uint32_t living_sets = 0;      // sets that a dead coroutine must not be in
        std::uint32_t lines = 0;            // queues of locks and conditions that it is in
        std::uint32_t owned_stacks = 0;     // shared stacks that hold its bytes
        std::uint32_t ready_on = kNone;     // the machine that must insert it into one of these
        std::int64_t copied_out = kAbsent;  // bytes saved and not yet restored
    };
    struct Set {
        bool declared = false;
        Role role = Role::ready;
        Structure structure = Structure::queue;
        std::set<std::pair<std::uint64_t, std::uint32_t>> members;  // item, key
        std::unique_ptr<TreeCheck> tree;
    };
    struct Timer {
        bool added = false, armed = false;
        std::int64_t deadline = kAbsent, period = kAbsent;
        std::int64_t kept_until = kAbsent;  // its current or last key in a set of role timer
    };
    struct Lock {
        std::map<std::uint32_t, std::uint32_t> holders;  // coroutine -> number of acquisitions
        std::uint32_t exclusive = kNone;                 // the only holder
        std::vector<std::uint32_t> line;                 // waiters, in order
    };

    /// The last poll of a machine, if no switch has followed it: in progress, or returned events.
    enum class Polled : std::uint8_t { no, now, found };

    /// Thrown where a cut recording has too little data to check any further.
    struct EndOfKnowledge {};

    [[noreturn]] static void fail(int invariant, std::string why) { throw Breach{invariant, std::move(why)}; }
    Value name(std::uint32_t co) const { return name_value(trace_, co); }
    Value set_name(std::uint32_t set) const { return set_value(trace_.set_name(set)); }
    Value item_name(const Event& e) const;

    void judge(const Event& e);
    void machine(const Event& e);
    void check_in_no_call(const Event& e) const;
    void poll(const Event& e);
    void check_polled(const Event& e) const;
    void check_time(const Event& e);
    void check_existence(const Event& e);
    void check_exists(std::uint32_t co) const;
    // coroutines and machines (checker.cpp)
    void spawn(const Event& e);
    void switched(const Event& e);
    void check_why(const Event& e) const;
    void check_until(const Event& e) const;
    void set_callers(const Event& e);
    bool unwind_to(std::uint32_t from, std::uint32_t to);
    void leave(std::uint32_t co, State to, const Event& e);
    void enter(std::uint32_t co, const Event& e);
    void state(const Event& e);
    void step(std::uint32_t co, State to, const Event& e);
    std::uint32_t living_set_of(std::uint32_t co) const;
    void check_listed(std::uint32_t machine, Text breach) const;
    void check_end() const;
    // sets, timers, locks, shared stacks (sets.cpp)
    void declare(const Event& e);
    void insert(const Event& e);
    void remove(const Event& e);
    void count_membership(const Event& e, const Set& set, bool in);
    void update_unlisted(std::uint32_t co, std::uint32_t machine);
    void timer(const Event& e);
    void fire(const Event& e, Timer& timer);
    void note_key(const Event& e, const Set& set);
    void lock(const Event& e);
    void acquire(const Event& e, Lock& lock);
    void release(const Event& e, Lock& lock);
    void stand_in_line(const Event& e, Lock& lock);
    void signal(const Event& e, Lock& lock);
    bool leave_line(Lock& lock, std::uint32_t co);
    static std::uint32_t another_holder(const Lock& lock, std::uint32_t co);
    void own(const Event& e);
    void copy(const Event& e);

    const Trace& trace_;
    std::vector<Coroutine> coroutines_;
    std::vector<Set> sets_;
    std::vector<std::uint32_t> running_, owners_;    // by machine, by shared stack
    std::vector<std::uint64_t> times_;               // by machine
    std::vector<bool> in_call_;                      // by machine
    std::vector<Polled> polled_;                     // by machine
    std::vector<bool> parked_;                       // by machine
    bool has_polls_ = false;                         // false if the program records no polls
    std::vector<std::set<std::uint32_t>> unlisted_;  // by machine: ready, but in no set of role ready
    std::unordered_map<std::uint64_t, Lock> locks_;  // by the name of the object, and whether it is a condition
    std::vector<Timer> timers_;
    std::vector<bool> spawned_;  // whether the file has a coroutine's spawn; only used for a cut trace
    bool has_ready_set_ = false;
};

}  // namespace fiberscope::trace
