// One sentence for each kind of event.
#include <system_error>

#include "languages/say.h"
#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "traces/words/registers.h"
#include "traces/words/set_events.h"
#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

class Describer {
  public:
    Describer(const Trace& trace, std::size_t event, Language language)
        : trace_(trace),
          n_(event),
          e_(trace[event]),
          language_(language),
          access_(e_.kind == Kind::access ? trace.access(event) : Access()) {}
    std::string sentence() const;

  private:
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return say(language_, key, values...);
    }
    std::string co() const { return name_in(trace_, e_.co, language_); }
    std::string other() const { return name_in(trace_, e_.other, language_); }
    std::string text() const { return printable(trace_.text(e_.text)); }
    std::string told() const { return printable(formatted(trace_.text(e_.text).bytes(), language_)); }
    std::string noted() const;
    std::string machine() const { return says("machine {0}", e_.m); }
    std::string shared_stack() const { return says("shared stack {0}", e_.set); }
    static std::string moment(std::int64_t t) { return exactly(static_cast<std::uint64_t>(t < 0 ? 0 : t)); }
    static std::string duration(std::int64_t t) { return in_words(static_cast<std::uint64_t>(t < 0 ? 0 : t)); }
    std::string size(std::int64_t bytes) const;
    std::string called(State state) const { return state_called(trace_, state, language_); }
    std::string in_the_lab(State state) const;
    std::string reason(Text before) const {
        return e_.text == kNone ? "" : says(before, reason_in_words(trace_, e_.text, language_));
    }

    std::string spawn() const;
    std::string switched() const;
    std::string left_behind() const;
    std::string state() const;
    std::string copy() const;
    std::string access() const;
    std::string stack() const;
    std::string io() const;
    std::string poll() const;
    std::string timer() const;
    std::string machine_step() const;
    std::string lock() const;
    std::string choice() const;
    std::string deferred() const;
    std::string frames() const;

    bool was_unwound() const;

    const Trace& trace_;
    const std::size_t n_;
    const Event e_;
    const Language language_;
    const Access access_;  // for an `access`
};

std::string Describer::size(std::int64_t bytes) const {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
    if (bytes >= 1024 && bytes % 1024 == 0) return std::to_string(bytes >> 10) + " KiB";
    return says("{0} {0:byte|bytes}", grouped(bytes));
}

// A state expressed by a verb, followed by the lab's own name for it, if any, in parentheses.
std::string Describer::in_the_lab(State state) const {
    const std::string own = trace_.lab_word(state);
    return own.empty() ? own : says(" ({0})", own);
}

std::string Describer::spawn() const {
    const auto kind = e_.first<CoKind>();
    if (kind == CoKind::thread) return says("thread {0} begins on {1}", co(), machine());
    std::string what = kind == CoKind::task   ? ""
                       : kind == CoKind::idle ? says(", an idle coroutine")
                                              : says(", a scheduler's coroutine");
    if (e_.x != kAbsent)
        what += says(what.empty() ? mark(", with a stack of {0}") : mark(" with a stack of {0}"), size(e_.x));
    if (e_.y != kAbsent)
        what += says(", reusing the memory of {0}", name_in(trace_, static_cast<std::uint32_t>(e_.y), language_));
    return (e_.other == kNone ? says("{0} is created", co()) : says("{0} creates {1}", other(), co())) + what;
}

// The new state of the coroutine that a switch left: "… stays ready".
std::string Describer::left_behind() const {
    const std::string until = e_.x == kAbsent     ? ""
                              : e_.x == INT64_MAX ? says(" forever")
                                                  : says(" until {0}", moment(e_.x));
    const std::string own = in_the_lab(e_.second<State>());
    switch (e_.second<State>()) {
    case State::normal: return says("waits for it{0}", own);
    case State::ready: return says("stays ready{0}{1}", own, reason(mark(": {0}")));
    case State::suspended: return says("is suspended{0}{1}", own, reason(mark(": {0}")));
    case State::sleeping: return says("sleeps{0}{1}{2}", own, until, reason(mark(": {0}")));
    case State::waiting:
        return says("waits{0}{1}{2}", own, reason(mark(" for {0}")),
                    until.empty() ? "" : says(",{0} at the latest", until));
    case State::dead: return says("is dead{0}{1}", own, reason(mark(": {0}")));
    default: return says("is {0}", called(e_.second<State>()));
    }
}

// Whether the coroutine that ends here was resumed only to end. Few events lie in between, so a short search suffices.
bool Describer::was_unwound() const {
    constexpr std::size_t kFar = 64;
    for (std::size_t n = n_; n > 0 && n_ - n < kFar;) {
        --n;
        if (trace_[n].kind == Kind::switch_ && trace_[n].other == e_.co) return sends_to_unwind(trace_, n);
    }
    return false;
}

std::string Describer::switched() const {
    const std::string then = says("; {0} {1}", co(), left_behind());
    const auto left = e_.second<State>();
    const bool resumes = left == State::normal;
    const bool hands_over = left == State::ready || left == State::sleeping || left == State::waiting;
    switch (e_.first<Why>()) {
    case Why::start:
        if (hands_over) return says("{0} hands over to {1} (first entry){2}", co(), other(), then);
        return says(resumes ? mark("{0} resumes {1} (first entry){2}") : mark("{0} switches to {1} (first entry){2}"),
                    co(), other(), then);
    case Why::resume:
        if (sends_to_unwind(trace_, n_))
            return says("{0} unwinds {1}, which is to be destroyed{2}", co(), other(), then);
        return says(resumes ? mark("{0} resumes {1}{2}") : mark("{0} switches to {1}{2}"), co(), other(), then);
    case Why::yield: return says("{0} yields to {1} and {2}", co(), other(), left_behind());
    case Why::exit:
        return says(was_unwound() ? mark("{0} is unwound{1}; control goes back to {2}{3}")
                                  : mark("{0} ends{1}; control goes back to {2}{3}"),
                    co(), in_the_lab(State::dead), other(), reason(mark(": {0}")));
    case Why::swap:
        return says(hands_over ? mark("{0} hands over to {1}{2}") : mark("{0} switches symmetrically to {1}{2}"), co(),
                    other(), then);
    case Why::jump: return says("{0} jumps to {1} without saving itself{2}", co(), other(), then);
    }
    return {};
}

std::string Describer::state() const {
    const auto to = e_.second<State>();
    if (to == State::dead) {
        if (e_.text != kNone) return says("{0} ends with an exception: {1}", co(), told());
        return says(e_.third<Cause>() == Cause::cancel ? mark("{0} is cancelled: it is dead") : mark("{0} is dead"),
                    co());
    }
    static constexpr Text kBecause[] = {Text(),
                                        mark("it has just been created"),
                                        mark("what it waited for has happened"),
                                        mark("its deadline has passed", "cause"),
                                        mark("it was signalled"),
                                        mark("it was cancelled"),
                                        mark("everything is being stopped"),
                                        mark("the lock that it waited for is free")};
    return says("{0} becomes {1} (was {2}){3}{4}", co(), called(to), called(e_.first<State>()),
                e_.third<Cause>() == Cause::none ? "" : says(": {0}", says(kBecause[e_.e3])), reason(mark(", {0}")));
}

std::string Describer::copy() const {
    return says(e_.first<Direction>() == Direction::out
                    ? mark("{0} of {1} {4:is|are} copied out of {2} into its image{3}")
                    : mark("{0} of {1} {4:is|are} copied from its image{3} back into {2}"),
                size(e_.x), co(), shared_stack(), e_.y == kAbsent ? "" : says(" (a buffer of {0})", size(e_.y)), e_.x);
}

std::string Describer::access() const {
    const std::string lies = e_.other == kNone   ? says("no coroutine's bytes are")
                             : e_.other == e_.co ? says("its own bytes are")
                                                 : says("{0}'s bytes are", other());
    if (access_.hazard())
        return says("{0} uses a local of {1}, at offset {2} of {3}, but {4} there now", co(),
                    name_in(trace_, access_.whose, language_), grouped(e_.x), shared_stack(), lies);
    return says("{0} uses an address in {1}, offset {2}, where {3}", co(), shared_stack(), grouped(e_.x), lies);
}

std::string Describer::stack() const {
    switch (e_.first<StackOp>()) {
    case StackOp::alloc: return says("{0} gets a new stack of {1}", co(), size(e_.x));
    case StackOp::free: return says("the stack of {0} is released ({1})", co(), size(e_.x));
    case StackOp::reuse: return says("{0} gets a stack that was used before, of {1}", co(), size(e_.x));
    }
    return {};
}

std::string Describer::io() const {
    const std::string call = e_.set == kNone ? text() : says("{0} on {1}", text(), says("fd {0}", e_.set));
    const std::string limit = e_.x == kAbsent ? "" : says(", at most until {0}", moment(e_.x));
    const std::string want = e_.second<Want>() == Want::read    ? says(" for it to be readable")
                             : e_.second<Want>() == Want::write ? says(" for it to be writable")
                                                                : "";
    const auto error = [&] { return std::generic_category().message(static_cast<int>(e_.other & 0x7fffffff)); };
    switch (e_.first<IoPhase>()) {
    case IoPhase::call: return says("{0} calls {1}{2}", co(), call, limit);
    case IoPhase::block: return says("{0} cannot finish {1} yet: it waits{2}{3}", co(), call, want, limit);
    case IoPhase::ready: return says("{0} can continue {1}", co(), call);
    case IoPhase::done: return says("{0} finishes {1}{2}", co(), call, e_.y == kAbsent ? "" : says(": {0}", e_.y));
    case IoPhase::timeout: return says("{0} of {1} times out", call, co());
    case IoPhase::cancel: return says("{0} of {1} is cancelled", call, co());
    case IoPhase::error:
        return says("{0} of {1} fails{2}", call, co(), e_.other == kNone ? "" : says(": {0}", error()));
    }
    return {};
}

std::string Describer::poll() const {
    const std::string fd = e_.set == kNone ? says("a descriptor") : says("fd {0}", e_.set);
    switch (e_.first<PollPhase>()) {
    case PollPhase::enter:
        if (e_.x == kAbsent || e_.x == -1) return says("{0} polls until something happens", machine());
        return e_.x == 0 ? says("{0} polls without waiting", machine())
                         : says("{0} polls for at most {1}", machine(), duration(e_.x));
    case PollPhase::leave:
        return e_.other == kNone ? says("{0} leaves the poller", machine())
                                 : says("{0} leaves the poller with {1} {1:event|events}", machine(), e_.other);
    case PollPhase::add: return says("the poller watches {0} from now on", fd);
    case PollPhase::mod: return says("the poller watches {0} for other events", fd);
    case PollPhase::del: return says("the poller no longer watches {0}", fd);
    }
    return {};
}

std::string Describer::timer() const {
    const std::string number = says("timer {0}", e_.other);
    const std::string name = e_.co == kNone ? number : says("{0} of {1}", number, co());
    const std::string due = (e_.x == kAbsent ? "" : says(", due at {0}", moment(e_.x))) +
                            (e_.y == kAbsent || e_.y == 0 ? "" : says(", then every {0}", duration(e_.y)));
    switch (e_.first<TimerOp>()) {
    case TimerOp::add: return says("{0} is set{1}", name, due);
    case TimerOp::refresh: return says("{0} is set again{1}", name, due);
    case TimerOp::cancel: return says("{0} is cancelled", name);
    case TimerOp::fire:
        return e_.x == kAbsent ? says("{0} fires", name)
                               : says("{0} fires: its clock was set back to {1}", name, moment(e_.x));
    }
    return {};
}

std::string Describer::machine_step() const {
    const std::string from = e_.other == kNone ? "" : says(" from {0}", says("machine {0}", e_.other));
    switch (e_.first<MachineOp>()) {
    case MachineOp::start: return says("{0} starts", machine());
    case MachineOp::park:
        return e_.text == kNone ? says("{0} parks: no task to run", machine())
                                : says("{0} parks and waits for {1}", machine(), told());
    case MachineOp::unpark:
        return e_.text == kNone ? says("{0} is woken: there is work again", machine())
                                : says("{0} no longer waits for {1}", machine(), told());
    case MachineOp::steal:
        return e_.x == kAbsent ? says("{0} steals work{1}", machine(), from)
                               : says("{0} steals {1}{2}", machine(), e_.x, from);
    case MachineOp::stop: return says("{0} stops", machine());
    case MachineOp::call: return says("{0} is in a call that blocks it", machine());
    case MachineOp::return_: return says("{0} is back from its call", machine());
    case MachineOp::give:
        return e_.y == kAbsent ? says("{0} gives a queue away{1}", machine(), from)
                               : says("{0} gives the queue{1} to {2}", machine(), from, says("machine {0}", e_.y));
    case MachineOp::wait: return says("{0} waits: another machine holds {1}", machine(), told());
    case MachineOp::take: return says("{0} takes {1}, for which it waited", machine(), told());
    }
    return {};
}

std::string Describer::lock() const {
    const auto mode = e_.second<LockMode>();
    const std::string object =
        says(mode == LockMode::cond ? mark("the condition '{0}'") : mark("the lock '{0}'"), text());
    const std::string use = mode == LockMode::read    ? says(" to read")
                            : mode == LockMode::write ? says(" to write")
                                                      : "";
    switch (e_.first<LockOp>()) {
    case LockOp::acquire:
        return mode == LockMode::cond ? says("{0} takes a signal of {1}", co(), object)
                                      : says("{0} takes {1}{2}", co(), object, use);
    case LockOp::block: return says("{0} waits for {1}{2}", co(), object, use);
    case LockOp::release: return says("{0} releases {1}", co(), object);
    case LockOp::wait: return says("{0} waits for a signal of {1}", co(), object);
    case LockOp::signal: return says("{0} signals {1}", co(), object);
    case LockOp::broadcast: return says("{0} wakes all tasks that wait for {1}", co(), object);
    case LockOp::timeout: return says("{0} gives up waiting for {1}{2}", co(), object, use);
    }
    return {};
}

std::string Describer::choice() const {
    const std::string next = says("machine {0}", e_.other), others = text();
    std::string what;
    switch (e_.first<Turn>()) {
    case Turn::seen_later: what = says("the others see later what {0} stores", next); break;
    case Turn::seen_at_once: what = says("the others see at once what {0} stores; it could be later", next); break;
    default:
        what = says(e_.first<Turn>() == Turn::preemption ? mark("{0} continues by preemption") : mark("{0} continues"),
                    next);
        if (!others.empty())
            what = says(others.find(',') == std::string::npos ? mark("{0}; machine {1} could have")
                                                              : mark("{0}; machines {1} could have"),
                        what, others);
    }
    return says("choice {0}: {1}", e_.x, what);
}

std::string Describer::deferred() const {
    const bool put_down = e_.first<DeferOp>() == DeferOp::push;
    if (e_.text != kNone)  // by frame
        return says(put_down ? mark("{0} defers call {1} until {2} returns")
                             : mark("{0} runs the deferred call {1}: {2} returns"),
                    co(), e_.x, text());
    return says(put_down ? mark("{0} defers call {1} until it ends") : mark("{0} ends and runs the deferred call {1}"),
                co(), e_.x);
}

std::string Describer::frames() const {
    const std::string now = text();
    const auto op = e_.first<FrameOp>();
    if (now == "none")
        return says(op == FrameOp::fail ? mark("the last frame of {0} fails") : mark("the last frame of {0} returns"),
                    co());
    switch (op) {
    case FrameOp::call: return says("{0} calls {1}", co(), now);
    case FrameOp::return_: return says("{0} returns to {1}", co(), now);
    case FrameOp::fail: return says("{0} fails; its frames now: {1}", co(), now);
    case FrameOp::at: return says("{0} keeps its frames: {1}", co(), now);
    }
    return {};
}

/// The note of a failed assertion of a test begins with "failed: " (labs/kit/report); it is not the program's own.
std::string Describer::noted() const {
    constexpr std::string_view kFailed = "failed: ";
    const Foreign note = trace_.text(e_.text);
    const bool fails = note.starts_with(kFailed);
    const std::string words =
        fails ? printable(formatted(note.bytes().substr(kFailed.size()), language_)) : note_in(note, language_);
    if (e_.co == kNone) return says(fails ? mark("the test fails: {0}") : mark("note: {0}"), words);
    return says(fails ? mark("the test fails in {0}: {1}") : mark("{0} notes: {1}"), co(), words);
}

std::string Describer::sentence() const {
    switch (e_.kind) {
    case Kind::spawn: return spawn();
    case Kind::switch_: return switched();
    case Kind::state: return state();
    case Kind::set:
    case Kind::insert:
    case Kind::remove:
    case Kind::move:
    case Kind::hand:
    case Kind::link: return describe_set_event(trace_, n_, language_);
    case Kind::own:
        return e_.co == kNone ? says("shared stack {0} has no owner any more", e_.set)
                              : says("{0} now owns shared stack {1}", co(), e_.set);
    case Kind::copy: return copy();
    case Kind::access: return access();
    case Kind::stack: return stack();
    case Kind::io: return io();
    case Kind::poll: return poll();
    case Kind::timer: return timer();
    case Kind::machine: return machine_step();
    case Kind::lock: return lock();
    case Kind::defer: return deferred();
    case Kind::frame: return frames();
    case Kind::fault:
        return e_.co == kNone ? says("fault on {0}: {1}", machine(), told()) : says("fault in {0}: {1}", co(), told());
    case Kind::note: return noted();
    case Kind::choice: return choice();
    case Kind::name: return says("{0} is given its name", co());
    }
    return {};
}

}  // namespace

std::string describe(const Trace& trace, std::size_t event, Language language) {
    return Describer(trace, event, language).sentence();
}

}  // namespace fiberscope::trace
