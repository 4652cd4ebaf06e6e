// One sentence for each kind of event.
#include <system_error>

#include "traces/read/printable.h"
#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

class Describer {
  public:
    Describer(const Trace& trace, std::size_t event)
        : trace_(trace), e_(trace[event]), access_(e_.kind == Kind::access ? trace.access(event) : Access()) {}
    std::string sentence() const;

  private:
    std::string co() const { return trace_.name(e_.co); }
    std::string other() const { return trace_.name(e_.other); }
    std::string text() const { return printable(trace_.text(e_.text)); }
    std::string set() const { return printable(trace_.set_name(e_.set)); }
    std::string item() const { return e_.co != kNone ? co() : "timer " + std::to_string(e_.other); }
    std::string machine() const { return "machine " + std::to_string(e_.m); }
    static std::string number(std::int64_t n) { return std::to_string(n); }
    static std::string moment(std::int64_t t) { return in_words(static_cast<std::uint64_t>(t < 0 ? 0 : t)); }
    static std::string size(std::int64_t bytes);
    std::string called(State state) const;
    std::string in_the_lab(State state) const;
    std::string reason(const char* before) const { return e_.text == kNone ? "" : before + text(); }
    std::string node(std::int64_t id) const;

    std::string spawn() const;
    std::string switched() const;
    std::string left_behind() const;
    std::string state() const;
    std::string set_declared() const;
    std::string insert() const;
    std::string link() const;
    std::string copy() const;
    std::string access() const;
    std::string stack() const;
    std::string io() const;
    std::string poll() const;
    std::string timer() const;
    std::string machine_step() const;
    std::string lock() const;

    const Trace& trace_;
    const Event& e_;
    const Access access_;  // of an `access`
};

std::string Describer::size(std::int64_t bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return number(bytes >> 20) + " MiB";
    if (bytes >= 1024 && bytes % 1024 == 0) return number(bytes >> 10) + " KiB";
    return grouped(bytes) + (bytes == 1 ? " byte" : " bytes");
}

// A state where it is named: by the lab's own word, if it has one.
std::string Describer::called(State state) const {
    const std::string own = trace_.lab_word(state);
    return own.empty() ? std::string(word(state)) : own;
}

// A state where a sentence says it by a verb: the lab's own word, if it has one, in brackets.
std::string Describer::in_the_lab(State state) const {
    const std::string own = trace_.lab_word(state);
    return own.empty() ? own : " (" + own + ")";
}

std::string Describer::node(std::int64_t id) const {
    if (id == kNone) return "nothing";
    const auto n = static_cast<std::uint32_t>(id);
    return e_.e3 != 0 ? "timer " + number(n) : trace_.name(n);
}

std::string Describer::spawn() const {
    const auto kind = e_.first<CoKind>();
    if (kind == CoKind::thread) return "thread " + co() + " begins on " + machine();
    std::string what = kind == CoKind::task   ? ""
                       : kind == CoKind::idle ? ", an idle coroutine"
                                              : ", a scheduler's coroutine";
    if (e_.x != kAbsent) what += std::string(what.empty() ? "," : "") + " with a stack of " + size(e_.x);
    if (e_.y != kAbsent) what += ", reusing the memory of " + trace_.name(static_cast<std::uint32_t>(e_.y));
    return (e_.other == kNone ? co() + " is created" : other() + " creates " + co()) + what;
}

// What becomes of the one that a switch left: "… stays ready".
std::string Describer::left_behind() const {
    const std::string until = e_.x == kAbsent ? "" : e_.x == INT64_MAX ? " forever" : " until " + moment(e_.x);
    const std::string own = in_the_lab(e_.second<State>());
    switch (e_.second<State>()) {
    case State::normal: return "waits for it" + own;
    case State::ready: return "stays ready" + own + reason(": ");
    case State::suspended: return "is suspended" + own + reason(": ");
    case State::sleeping: return "sleeps" + own + until + reason(": ");
    case State::waiting:
        return "waits" + own + (e_.text == kNone ? "" : " for " + awaited(text())) +
               (until.empty() ? "" : "," + until + " at the latest");
    case State::dead: return "is dead" + own + reason(": ");
    default: return "is " + called(e_.second<State>());
    }
}

std::string Describer::switched() const {
    const std::string then = "; " + co() + " " + left_behind();
    const char* verb = e_.second<State>() == State::normal ? " resumes " : " switches to ";
    switch (e_.first<Why>()) {
    case Why::start: return co() + verb + other() + " (first entry)" + then;
    case Why::resume: return co() + verb + other() + then;
    case Why::yield: return co() + " yields to " + other() + " and " + left_behind();
    case Why::exit:
        return co() + " ends" + in_the_lab(State::dead) + "; control goes back to " + other() + reason(": ");
    case Why::swap: return co() + " switches to " + other() + " as an equal" + then;
    case Why::jump: return co() + " jumps to " + other() + " without saving itself" + then;
    }
    return {};
}

std::string Describer::state() const {
    const auto to = e_.second<State>();
    if (to == State::dead) {
        if (e_.text != kNone) return co() + " ends with an exception: " + text();
        return co() + (e_.third<Cause>() == Cause::cancel ? " is cancelled: it is dead" : " is dead");
    }
    static constexpr std::string_view kBecause[] = {"",
                                                    "it has just been created",
                                                    "what it waited for has happened",
                                                    "its time has come",
                                                    "it was signalled",
                                                    "it was cancelled",
                                                    "everything is being stopped",
                                                    "the lock that it waited for is free"};
    const std::string_view because = kBecause[e_.e3];
    return co() + " becomes " + called(to) + " (was " + called(e_.first<State>()) + ")" +
           (because.empty() ? "" : ": " + std::string(because)) + reason(", ");
}

std::string Describer::set_declared() const {
    static constexpr std::string_view kOf[] = {"coroutines that can run",
                                               "coroutines that sleep",
                                               "coroutines that wait",
                                               "coroutines that wait for a lock",
                                               "timers",
                                               "coroutines that have ended",
                                               "coroutines that can be used again"};
    static constexpr std::string_view kShape[] = {"queue", "red-black tree", "heap", "timing wheel", "map"};
    return "there is a set now: " + set() + ", a " + std::string(kShape[e_.e2]) +
           (e_.y == kAbsent ? "" : " with " + grouped(e_.y) + " slots") + " of " + std::string(kOf[e_.e1]) +
           (e_.other == kNone ? "" : ", by " + printable(trace_.text(e_.other))) +
           (e_.x == kAbsent ? "" : ", of machine " + number(e_.x));
}

std::string Describer::insert() const {
    return item() + " enters " + set() + (e_.text == kNone ? "" : " under " + text()) +
           (e_.x == kAbsent ? "" : " at " + number(e_.x));
}

std::string Describer::link() const {
    if (e_.e1 == link_field::root) return "in " + set() + ": the root is now " + node(e_.co);
    std::string what;
    const auto add = [&](const std::string& part) { what += (what.empty() ? "" : ", ") + part; };
    if (e_.e1 & link_field::left) add("left of " + node(e_.co) + " is now " + node(e_.x));
    if (e_.e1 & link_field::right) add("right of " + node(e_.co) + " is now " + node(e_.y));
    if (e_.e1 & link_field::parent) add("the parent of " + node(e_.co) + " is now " + node(e_.other));
    if (e_.e1 & link_field::color) add(node(e_.co) + " is now " + std::string(word(e_.second<Color>())));
    return "in " + set() + ": " + (what.empty() ? "nothing changes at " + node(e_.co) : what);
}

std::string Describer::copy() const {
    const std::string stack = "shared stack " + number(e_.set);
    const std::string buffer = e_.y == kAbsent ? "" : " (a buffer of " + size(e_.y) + ")";
    const std::string what = size(e_.x) + " of " + co() + (e_.x == 1 ? " is copied" : " are copied");
    return e_.first<Direction>() == Direction::out ? what + " out of " + stack + " into its image" + buffer
                                                   : what + " from its image" + buffer + " back into " + stack;
}

std::string Describer::access() const {
    const std::string stack = "shared stack " + number(e_.set), offset = "offset " + grouped(e_.x);
    const std::string lies = e_.other == kNone   ? "no coroutine lies"
                             : e_.other == e_.co ? "its own bytes lie"
                                                 : other() + " lies";
    if (access_.hazard())
        return co() + " uses a local of " + trace_.name(access_.whose) + ", at " + offset + " of " + stack + ", but " +
               lies + " there now";
    return co() + " uses an address in " + stack + ", " + offset + ", where " + lies;
}

std::string Describer::stack() const {
    switch (e_.first<StackOp>()) {
    case StackOp::alloc: return co() + " gets a new stack of " + size(e_.x);
    case StackOp::free: return "the stack of " + co() + " is released (" + size(e_.x) + ")";
    case StackOp::reuse: return co() + " gets a stack that was used before, of " + size(e_.x);
    }
    return {};
}

std::string Describer::io() const {
    const std::string call = text() + (e_.set == kNone ? "" : " on fd " + number(e_.set));
    const std::string limit = e_.x == kAbsent ? "" : ", at most until " + moment(e_.x);
    const std::string want = e_.second<Want>() == Want::read    ? " to be readable"
                             : e_.second<Want>() == Want::write ? " to be writable"
                                                                : "";
    switch (e_.first<IoPhase>()) {
    case IoPhase::call: return co() + " calls " + call + limit;
    case IoPhase::block:
        return co() + " cannot finish " + call + " yet: it waits" + (want.empty() ? "" : " for it" + want) + limit;
    case IoPhase::ready: return co() + " can go on with " + call;
    case IoPhase::done: return co() + " finishes " + call + (e_.y == kAbsent ? "" : ": " + number(e_.y));
    case IoPhase::timeout: return call + " of " + co() + " takes too long: it is given up";
    case IoPhase::cancel: return call + " of " + co() + " is cancelled";
    case IoPhase::error:
        return call + " of " + co() + " fails" +
               (e_.other == kNone ? ""
                                  : ": " + std::generic_category().message(static_cast<int>(e_.other & 0x7fffffff)));
    }
    return {};
}

std::string Describer::poll() const {
    const std::string fd = e_.set == kNone ? "a descriptor" : "fd " + number(e_.set);
    switch (e_.first<PollPhase>()) {
    case PollPhase::enter:
        if (e_.x == kAbsent || e_.x == -1) return machine() + " polls until something happens";
        return machine() + (e_.x == 0 ? " polls without waiting" : " polls for at most " + moment(e_.x));
    case PollPhase::leave:
        return machine() + " leaves the poller" +
               (e_.other == kNone ? ""
                : e_.other == 1   ? " with 1 event"
                                  : " with " + number(e_.other) + " events");
    case PollPhase::add: return "the poller watches " + fd + " from now on";
    case PollPhase::mod: return "the poller watches " + fd + " for something else";
    case PollPhase::del: return "the poller no longer watches " + fd;
    }
    return {};
}

std::string Describer::timer() const {
    const std::string name = "timer " + number(e_.other);
    const std::string due = (e_.x == kAbsent ? "" : ", due at " + moment(e_.x)) +
                            (e_.y == kAbsent || e_.y == 0 ? "" : ", then every " + moment(e_.y));
    const std::string whose = e_.co == kNone ? "" : " of " + co();
    switch (e_.first<TimerOp>()) {
    case TimerOp::add: return name + whose + " is set" + due;
    case TimerOp::refresh: return name + whose + " is set anew" + due;
    case TimerOp::cancel: return name + whose + " is cancelled";
    case TimerOp::fire: return name + whose + " fires";
    }
    return {};
}

std::string Describer::machine_step() const {
    const std::string count = e_.x == kAbsent ? "work" : number(e_.x);
    switch (e_.first<MachineOp>()) {
    case MachineOp::start: return machine() + " starts";
    case MachineOp::park: return machine() + " parks: no task to run";
    case MachineOp::unpark: return machine() + " is woken: there is work again";
    case MachineOp::steal:
        return machine() + " steals " + count + (e_.other == kNone ? "" : " from machine " + number(e_.other));
    case MachineOp::stop: return machine() + " stops";
    }
    return {};
}

std::string Describer::lock() const {
    const auto mode = e_.second<LockMode>();
    const std::string object = (mode == LockMode::cond ? "the condition '" : "the lock '") + text() + "'";
    const std::string use = mode == LockMode::read ? " to read" : mode == LockMode::write ? " to write" : "";
    switch (e_.first<LockOp>()) {
    case LockOp::acquire: return co() + " takes " + object + use;
    case LockOp::block: return co() + " waits for " + object + use;
    case LockOp::release: return co() + " releases " + object;
    case LockOp::wait: return co() + " waits for a signal of " + object;
    case LockOp::signal: return co() + " wakes one that waits for " + object;
    case LockOp::broadcast: return co() + " wakes all that wait for " + object;
    case LockOp::timeout: return co() + " gives up waiting for " + object + use;
    }
    return {};
}

std::string Describer::sentence() const {
    switch (e_.kind) {
    case Kind::spawn: return spawn();
    case Kind::switch_: return switched();
    case Kind::state: return state();
    case Kind::set: return set_declared();
    case Kind::insert: return insert();
    case Kind::remove: return item() + " leaves " + set() + (e_.text == kNone ? "" : ", where it was under " + text());
    case Kind::move: return item() + " moves to " + number(e_.x) + " in " + set();
    case Kind::hand: return "the hand of " + set() + " is at " + number(e_.x);
    case Kind::link: return link();
    case Kind::own:
        return e_.co == kNone ? "no coroutine lives on shared stack " + number(e_.set) + " any more"
                              : co() + " lives on shared stack " + number(e_.set) + " now";
    case Kind::copy: return copy();
    case Kind::access: return access();
    case Kind::stack: return stack();
    case Kind::io: return io();
    case Kind::poll: return poll();
    case Kind::timer: return timer();
    case Kind::machine: return machine_step();
    case Kind::lock: return lock();
    case Kind::defer:
        return co() + (e_.first<DeferOp>() == DeferOp::push ? " defers call " + number(e_.x) + " until it ends"
                                                            : " ends and runs the deferred call " + number(e_.x));
    case Kind::fault: return (e_.co == kNone ? "fault on " + machine() : "fault in " + co()) + ": " + text();
    case Kind::note: return e_.co == kNone ? "note: " + text() : co() + " notes: " + text();
    }
    return {};
}

}  // namespace

std::string describe(const Trace& trace, std::size_t event) { return Describer(trace, event).sentence(); }

}  // namespace fiberscope::trace
