#include "traces/check/checker.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "traces/check/state.h"
#include "traces/schema/named.h"
#include "traces/words/words.h"

namespace fiberscope::trace {

std::string_view invariant_in_words(int number, Language language) {
    static constexpr Text kAll[] = {
        mark("no such invariant"),
        mark("a coroutine's first event is its spawn, a set's is its declaration, and every state transition is legal"),
        mark("each machine runs one coroutine; a switch leaves that one, enters one that is not running, and gives the "
             "true reason"),
        mark("only items outside a set are inserted, and only its members are removed"),
        mark("a ready coroutine is in exactly one set of role ready, and a dead one only in removed and pool"),
        mark(
            "a sleeper has a deadline, no deadline wakes before it has passed, and a timer fires only while it is set, "
            "and not before its deadline"),
        mark("a lock has one writer or several readers, a mutex one holder; only a holder releases it, and a waiter is "
             "queued once"),
        mark("the bytes copied back to a shared stack are those that were copied out, and only the owner of a stack "
             "runs on it"),
        mark("the links of a red-black tree form one, in key order, whose nodes are the set's members"),
        mark("time never runs backwards on a machine"),
        mark("an event wakes its waiters on the machine that polled, within the poll or right after it")};
    static_assert(std::size(kAll) == kInvariants + 1);
    return text_of(kAll[number >= 1 && number <= kInvariants ? number : 0], language);
}

namespace {

bool is_whole(const Trace& trace) noexcept { return trace.complete && trace.missing.empty() && trace.dropped == 0; }

/// Whether a machine is finished after this event, its last one in the file.
bool ends_a_machine(const Event& e) noexcept {
    return (e.kind == Kind::machine && e.first<MachineOp>() == MachineOp::stop) ||
           (e.kind == Kind::state && e.second<State>() == State::dead);
}

}  // namespace

std::optional<Broken> check(const Trace& trace) { return Checker(trace).run(); }

std::size_t judged_events(const Trace& trace) {
    if (is_whole(trace) || trace.machines() < 2 || trace.condition == Condition::live) return trace.size();
    std::vector<std::size_t> last(trace.machines(), trace.size());
    for (std::size_t n = 0; n < trace.size(); ++n) last[trace[n].m] = n;
    std::uint64_t moment = UINT64_MAX;
    for (const std::size_t n : last) {
        if (n == trace.size()) return 0;  // a machine without events
        if (!ends_a_machine(trace[n])) moment = std::min(moment, trace[n].t);
    }
    if (trace.reached != kAbsent) moment = std::max(moment, static_cast<std::uint64_t>(trace.reached));
    std::size_t judged = trace.size();
    while (judged > 0 && trace[judged - 1].t > moment) --judged;
    return judged;
}

Checker::Checker(const Trace& trace)
    : trace_(trace),
      coroutines_(trace.coroutines()),
      sets_(trace.sets()),
      running_(trace.machines(), kNone),
      owners_(trace.shared_stacks(), kNone),
      times_(trace.machines(), 0),
      in_call_(trace.machines(), false),
      polled_(trace.machines(), Polled::no),
      parked_(trace.machines(), false),
      unlisted_(trace.machines()),
      timers_(trace.timers()) {
    for (std::size_t n = 0; n < trace.size() && !has_polls_; ++n)
        has_polls_ = trace[n].kind == Kind::poll && trace[n].first<PollPhase>() == PollPhase::enter;
    if (is_whole(trace)) return;
    spawned_.resize(trace.coroutines());
    for (std::size_t n = 0; n < trace.size(); ++n)
        if (trace[n].kind == Kind::spawn) spawned_[trace[n].co] = true;
}

std::optional<Broken> Checker::run() {
    std::size_t n = 0;
    try {
        for (const std::size_t end = judged_events(trace_); n < end; ++n) judge(trace_[n]);
        if (is_whole(trace_) && n > 0) {
            --n;
            check_end();
        }
    } catch (const EndOfKnowledge&) {
        return std::nullopt;
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
    case Kind::timer: return timer(e);
    case Kind::lock: return lock(e);
    case Kind::poll: return poll(e);
    case Kind::machine: return machine(e);
    default: return;
    }
}

void Checker::poll(const Event& e) {
    const auto phase = e.first<PollPhase>();
    if (phase == PollPhase::enter) {
        check_listed(e.m, mark("{0} is ready, but in no set of role ready when machine {1} polls"));
        polled_[e.m] = Polled::now;
    } else if (phase == PollPhase::leave) {
        polled_[e.m] = e.other != 0 ? Polled::found : Polled::no;
    }
}

// Most pollers return events and wake afterwards; some wake within the poll. Nothing else runs in between.
void Checker::check_polled(const Event& e) const {
    const bool by_event = e.third<Cause>() == Cause::event && coroutines_[e.co].state == State::waiting;
    if (by_event && has_polls_ && polled_[e.m] == Polled::no)
        fail(10, message("{0} is woken by an event, but machine {1} has not polled for it", name(e.co), e.m));
}

void Checker::machine(const Event& e) {
    const auto op = e.first<MachineOp>();
    if (op == MachineOp::park)
        check_listed(e.m, mark("{0} is ready, but in no set of role ready when machine {1} parks"));
    if (op == MachineOp::call || op == MachineOp::park) check_in_no_call(e);
    if (op == MachineOp::return_ && !in_call_[e.m])
        fail(2, message("machine {0} is back from a call, but was in none", e.m));
    if (op == MachineOp::call || op == MachineOp::return_) in_call_[e.m] = op == MachineOp::call;
    if (op == MachineOp::park || op == MachineOp::unpark) parked_[e.m] = op == MachineOp::park;
}

void Checker::check_in_no_call(const Event& e) const {
    if (in_call_[e.m]) fail(2, message("machine {0} is in a call that blocks it", e.m));
}

void Checker::check_time(const Event& e) {
    if (e.t < times_[e.m])
        fail(9,
             message("its time is {0}, but machine {1} was at {2} already", exactly(e.t), e.m, exactly(times_[e.m])));
    times_[e.m] = e.t;
}

void Checker::check_exists(std::uint32_t co) const {
    if (coroutines_[co].exists) return;
    if (!spawned_.empty() && !spawned_[co]) throw EndOfKnowledge();
    fail(1, message("coroutine {0} is named, but was not spawned before", co));
}

void Checker::check_existence(const Event& e) {
    for_each_coroutine(e, [&](std::uint32_t co) {
        if (e.kind != Kind::spawn || co != e.co) check_exists(co);
    });
    const bool of_set = e.kind == Kind::insert || e.kind == Kind::remove || e.kind == Kind::move ||
                        e.kind == Kind::hand || e.kind == Kind::link;
    if (of_set && !sets_[e.set].declared)
        fail(1, message("the set {0} is used, but was not declared before", set_name(e.set)));
    if (e.kind != Kind::link || e.e3 != 0 || e.e1 == link_field::root) return;
    for (const std::int64_t node : {e.x, e.y, std::int64_t{e.other}})
        if (node != kAbsent && node != kNone) check_exists(static_cast<std::uint32_t>(node));
}

void Checker::spawn(const Event& e) {
    Coroutine& co = coroutines_[e.co];
    if (co.exists) fail(1, message("coroutine {0} is spawned a second time", e.co));
    if (e.other == e.co) fail(1, message("{0} is recorded as its own parent", name(e.co)));
    co.exists = true;
    co.backend = e.second<Backend>();
    if (e.first<CoKind>() != CoKind::thread) return;
    if (running_[e.m] != kNone)
        fail(2, message("machine {0} runs {1} already, so the thread {2} cannot begin on it", e.m, name(running_[e.m]),
                        name(e.co)));
    co.state = State::running;
    co.entered = true;
    co.machine = e.m;
    running_[e.m] = e.co;
}

// One step of a state, by a switch or without one.
void Checker::step(std::uint32_t co, State to, const Event& e) {
    Coroutine& c = coroutines_[co];
    if (!legal_step(c.state, to))
        fail(1, message("{0} goes from {1} to {2}, which is not a legal transition", name(co), state_value(c.state),
                        state_value(to)));
    c.state = to;
    update_unlisted(co, e.m);
    if (to == State::dead && c.living_sets > 0)
        fail(4, message("{0} is dead, but is still in the set {1}", name(co), set_name(living_set_of(co))));
    if (to == State::dead && c.lines > 0)
        fail(6, message("{0} is dead, but is still queued at a lock or a condition", name(co)));
}

std::uint32_t Checker::living_set_of(std::uint32_t co) const {
    for (std::uint32_t i = 0; i < sets_.size(); ++i) {
        const Set& set = sets_[i];
        if (may_hold_the_dead(set.role)) continue;
        const auto member = set.members.lower_bound({std::uint64_t{co} << 1, 0});
        if (member != set.members.end() && member->first == std::uint64_t{co} << 1) return i;
    }
    return kNone;
}

void Checker::leave(std::uint32_t co, State to, const Event& e) {
    check_in_no_call(e);
    if (parked_[e.m]) fail(2, message("machine {0} is parked", e.m));
    if (running_[e.m] != co)
        fail(2, message("it leaves {0}, but machine {1} runs {2}", name(co), e.m, name(running_[e.m])));
    Coroutine& c = coroutines_[co];
    c.machine = kNone;
    running_[e.m] = kNone;
    step(co, to, e);
    c.until = e.x;
}

void Checker::enter(std::uint32_t co, const Event& e) {
    Coroutine& c = coroutines_[co];
    if (c.machine != kNone) fail(2, message("it enters {0}, which runs on machine {1} already", name(co), c.machine));
    if (!legal_step(c.state, State::running)) step(co, State::running, e);
    check_why(e);
    step(co, State::running, e);
    c.entered = true;
    c.entered_at = e.t;
    c.machine = e.m;
    running_[e.m] = co;
    if (c.backend == Backend::shared && c.owned_stacks == 0)
        fail(7, message("it enters {0}, whose bytes are on no shared stack now", name(co)));
}

void Checker::switched(const Event& e) {
    polled_[e.m] = Polled::no;
    if (e.co == e.other) fail(2, message("it leaves and enters the same coroutine, {0}", name(e.co)));
    leave(e.co, e.second<State>(), e);
    check_until(e);
    enter(e.other, e);
    set_callers(e);
}

// The reason of a switch must fit the states of the two coroutines. Checked when the switch is made; an illegal state
// change is reported by enter() instead, with a better message.
void Checker::check_why(const Event& e) const {
    const Coroutine &from = coroutines_[e.co], &to = coroutines_[e.other];
    const Why why = e.first<Why>();
    if (why == Why::start && to.entered) fail(2, message("{0} is started, but was entered before", name(e.other)));
    if (why == Why::resume && !to.entered) fail(2, message("{0} is resumed, but was never started", name(e.other)));
    if (why == Why::exit && from.state != State::dead)
        fail(2, message("{0} exits, but is left {1}", name(e.co), state_value(from.state)));
    if (why == Why::yield && from.caller != e.other)
        fail(2, from.caller == kNone
                    ? message("{0} yields to {1}, but nothing resumed it", name(e.co), name(e.other))
                    : message("{0} yields to {1}, but {2} resumed it", name(e.co), name(e.other), name(from.caller)));
}

void Checker::check_until(const Event& e) const {
    const State left = e.second<State>();
    if (left == State::sleeping && e.x == kAbsent) fail(5, message("{0} sleeps, but has no deadline", name(e.co)));
    if (left != State::sleeping && left != State::waiting) return;
    // Time passes between the choice of a deadline and the switch. A program that sets its clock back (as a test that
    // runs two programs does) is recorded with a clock that does not advance.
    const std::uint64_t entered = coroutines_[e.co].entered_at;
    if (e.x != kAbsent && e.x < static_cast<std::int64_t>(entered) && e.t > entered)
        fail(5, message("{0} is left until {1}, which has passed", name(e.co),
                        exactly(static_cast<std::uint64_t>(std::max<std::int64_t>(0, e.x)))));
}

// The caller stack; see docs/trace-format.md.
void Checker::set_callers(const Event& e) {
    const Why why = e.first<Why>();
    const bool back = why == Why::yield || why == Why::exit;
    if (!back && e.second<State>() == State::normal) {
        coroutines_[e.other].caller = e.co;
        return;
    }
    const std::uint32_t caller = coroutines_[e.co].caller;
    if (!back && unwind_to(e.co, e.other)) return;
    coroutines_[e.co].caller = kNone;
    if (!back) coroutines_[e.other].caller = caller;
}

bool Checker::unwind_to(std::uint32_t from, std::uint32_t to) {
    constexpr int kDeepest = 4096;
    std::uint32_t co = from;
    for (int depth = 0; co != kNone && co != to; ++depth) {
        if (depth == kDeepest) return false;
        co = coroutines_[co].caller;
    }
    if (co == kNone) return false;
    for (co = from; co != to;) co = std::exchange(coroutines_[co].caller, kNone);
    return true;
}

void Checker::state(const Event& e) {
    Coroutine& c = coroutines_[e.co];
    if (c.state != e.first<State>())
        fail(1, message("{0} is recorded as {1}, but it is {2}", name(e.co), state_value(e.first<State>()),
                        state_value(c.state)));
    const State to = e.second<State>();
    const bool limited = c.state == State::sleeping || c.state == State::waiting;
    if (limited && e.third<Cause>() == Cause::deadline && c.until != kAbsent &&
        static_cast<std::int64_t>(e.t) < c.until)
        fail(5, message("{0} is woken by its deadline {1} before it", name(e.co),
                        in_words(static_cast<std::uint64_t>(c.until) - e.t)));
    check_polled(e);
    step(e.co, to, e);
    if (to == State::running) fail(2, message("{0} begins to run without a switch", name(e.co)));
    if (c.machine == kNone) return;
    if (to != State::dead) fail(2, message("{0} stops running without a switch, and is not dead", name(e.co)));
    running_[c.machine] = kNone;
    c.machine = kNone;
}

void Checker::check_listed(std::uint32_t machine, Text breach) const {
    if (!has_ready_set_ || unlisted_[machine].empty()) return;
    fail(4, message(breach, name(*unlisted_[machine].begin()), machine));
}

void Checker::check_end() const {
    for (std::uint32_t m = 0; m < unlisted_.size(); ++m)
        if (has_ready_set_ && !unlisted_[m].empty())
            fail(4, message("{0} is ready at the end of the trace, but in no set of role ready",
                            name(*unlisted_[m].begin())));
}

}  // namespace fiberscope::trace
