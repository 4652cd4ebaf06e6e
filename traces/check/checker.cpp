#include "traces/check/checker.h"

#include "traces/check/state.h"
#include "traces/schema/named.h"
#include "traces/words/words.h"

namespace fiberscope::trace {

std::string_view invariant_in_words(int number) noexcept {
    static constexpr std::string_view kWordsOf[] = {
        "no such invariant",
        "a coroutine's first event is its spawn, a set's is its declaration, and every step of a state is a legal one",
        "each machine runs one coroutine, and a switch leaves that one and enters one that runs nowhere",
        "only what is not in a set is inserted, and only what is in it is removed",
        "a ready coroutine is in exactly one set of role ready, and a dead one only in removed and pool",
        "nobody is woken by a deadline before it",
        "who holds a lock for writing, or a mutex, holds it alone",
        "what is copied back to a shared stack is what was copied out, and only the owner of a stack runs on it",
        "the links of a red-black tree form one, in key order, whose nodes are the set's members",
        "time never runs backwards on a machine"};
    return kWordsOf[number >= 1 && number <= kInvariants ? number : 0];
}

std::optional<Broken> check(const Trace& trace) { return Checker(trace).run(); }

Checker::Checker(const Trace& trace)
    : trace_(trace),
      coroutines_(trace.coroutines()),
      sets_(trace.sets()),
      running_(trace.machines(), kNone),
      owners_(trace.shared_stacks(), kNone),
      times_(trace.machines(), 0),
      unpublished_(trace.machines()) {}

std::optional<Broken> Checker::run() {
    std::size_t n = 0;
    try {
        for (; n < trace_.size(); ++n) judge(trace_[n]);
        if (trace_.complete && n > 0) {
            --n;
            check_end();
        }
    } catch (const Breach& breach) {
        return Broken{n, trace_.line(n), breach.invariant, breach.why};
    }
    return std::nullopt;
}

void Checker::judge(const Event& e) {
    check_time(e);
    check_existence(e);
    switch (e.kind) {
    case Kind::spawn: return spawn(e);
    case Kind::switch_: return switched(e);
    case Kind::state: return state(e);
    case Kind::set: return declare(e);
    case Kind::insert: return insert(e);
    case Kind::remove: return remove(e);
    case Kind::link:
        if (sets_[e.set].tree) sets_[e.set].tree->link(e);
        return;
    case Kind::own: return own(e);
    case Kind::copy: return copy(e);
    case Kind::lock: return lock(e);
    case Kind::poll:
        if (e.first<PollPhase>() == PollPhase::enter) check_published(e.m, "polls");
        return;
    case Kind::machine:
        if (e.first<MachineOp>() == MachineOp::park) check_published(e.m, "parks");
        return;
    default: return;
    }
}

void Checker::check_time(const Event& e) {
    if (e.t < times_[e.m])
        fail(9, "its time is " + std::to_string(e.t) + " ns, but machine " + std::to_string(e.m) + " was at " +
                    std::to_string(times_[e.m]) + " ns already");
    times_[e.m] = e.t;
}

void Checker::check_exists(std::uint32_t co) const {
    if (!coroutines_[co].exists) fail(1, "coroutine " + std::to_string(co) + " is named, but was not spawned before");
}

void Checker::check_existence(const Event& e) {
    for_each_coroutine(e, [&](std::uint32_t co) {
        if (e.kind != Kind::spawn || co != e.co) check_exists(co);
    });
    const bool of_set = e.kind == Kind::insert || e.kind == Kind::remove || e.kind == Kind::move ||
                        e.kind == Kind::hand || e.kind == Kind::link;
    if (of_set && !sets_[e.set].declared)
        fail(1, "the set " + std::string(trace_.set_name(e.set)) + " is used, but was not declared before");
    if (e.kind != Kind::link || e.e3 != 0 || e.e1 == link_field::root) return;
    for (const std::int64_t node : {e.x, e.y, std::int64_t{e.other}})
        if (node != kAbsent && node != kNone) check_exists(static_cast<std::uint32_t>(node));
}

void Checker::spawn(const Event& e) {
    Coroutine& co = coroutines_[e.co];
    if (co.exists) fail(1, "coroutine " + std::to_string(e.co) + " is spawned a second time");
    co.exists = true;
    co.backend = e.second<Backend>();
    if (e.first<CoKind>() != CoKind::thread) return;
    if (running_[e.m] != kNone)
        fail(2, "machine " + std::to_string(e.m) + " runs " + name(running_[e.m]) + " already, so the thread " +
                    name(e.co) + " cannot begin on it");
    co.state = State::running;
    co.machine = e.m;
    running_[e.m] = e.co;
}

// One step of a state, by a switch or without one.
void Checker::step(std::uint32_t co, State to, const Event& e) {
    Coroutine& c = coroutines_[co];
    if (!legal_step(c.state, to))
        fail(1, name(co) + " goes from " + std::string(word(c.state)) + " to " + std::string(word(to)) +
                    ", which is no legal step");
    c.state = to;
    update_unpublished(co, e.m);
    if (to == State::dead && c.living_sets > 0)
        fail(4, name(co) + " is dead, but is still in the set " + std::string(trace_.set_name(living_set_of(co))));
}

std::uint32_t Checker::living_set_of(std::uint32_t co) const {
    for (std::uint32_t i = 0; i < sets_.size(); ++i) {
        const Set& set = sets_[i];
        if (set.role == Role::removed || set.role == Role::pool) continue;
        const auto member = set.members.lower_bound({std::uint64_t{co} << 1, 0});
        if (member != set.members.end() && member->first == std::uint64_t{co} << 1) return i;
    }
    return kNone;
}

void Checker::leave(std::uint32_t co, State to, const Event& e) {
    if (running_[e.m] != co)
        fail(2, "it leaves " + name(co) + ", but machine " + std::to_string(e.m) + " runs " + name(running_[e.m]));
    Coroutine& c = coroutines_[co];
    c.machine = kNone;
    running_[e.m] = kNone;
    step(co, to, e);
    c.until = e.x;
}

void Checker::enter(std::uint32_t co, const Event& e) {
    Coroutine& c = coroutines_[co];
    if (c.machine != kNone)
        fail(2, "it enters " + name(co) + ", which runs on machine " + std::to_string(c.machine) + " already");
    step(co, State::running, e);
    c.machine = e.m;
    running_[e.m] = co;
    if (c.backend == Backend::shared && c.owned_stacks == 0)
        fail(7, "it enters " + name(co) + ", whose bytes lie on no shared stack now");
}

void Checker::switched(const Event& e) {
    if (e.co == e.other) fail(2, "it leaves and enters the same coroutine, " + name(e.co));
    leave(e.co, e.second<State>(), e);
    enter(e.other, e);
}

void Checker::state(const Event& e) {
    Coroutine& c = coroutines_[e.co];
    if (c.state != e.first<State>())
        fail(1, name(e.co) + " is said to be " + std::string(word(e.first<State>())) + ", but it is " +
                    std::string(word(c.state)));
    const State to = e.second<State>();
    const bool limited = c.state == State::sleeping || c.state == State::waiting;
    if (limited && e.third<Cause>() == Cause::deadline && c.until != kAbsent &&
        static_cast<std::int64_t>(e.t) < c.until)
        fail(5, name(e.co) + " is woken by its deadline " + in_words(static_cast<std::uint64_t>(c.until) - e.t) +
                    " before it");
    step(e.co, to, e);
    if (to == State::running) fail(2, name(e.co) + " begins to run without a switch");
    if (c.machine == kNone) return;
    if (to != State::dead) fail(2, name(e.co) + " stops running without a switch, and is not dead");
    running_[c.machine] = kNone;
    c.machine = kNone;
}

void Checker::check_published(std::uint32_t machine, const char* when) const {
    if (!has_ready_set_ || unpublished_[machine].empty()) return;
    fail(4, name(*unpublished_[machine].begin()) + " is ready, but in no set of role ready when machine " +
                std::to_string(machine) + " " + when);
}

void Checker::check_end() const {
    for (std::uint32_t m = 0; m < unpublished_.size(); ++m)
        if (has_ready_set_ && !unpublished_[m].empty())
            fail(4, name(*unpublished_[m].begin()) + " is ready at the end of the trace, but in no set of role ready");
}

}  // namespace fiberscope::trace
