// One sentence for each kind of event.
#include <system_error>

#include "traces/read/printable.h"
#include "traces/words/registers.h"
#include "traces/words/texts/say.h"
#include "traces/words/translated.h"
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
    std::string says(ToldText key, const Values&... values) const {
        return say(language_, key, values...);
    }
    std::string co() const { return name_in(trace_, e_.co, language_); }
    std::string other() const { return name_in(trace_, e_.other, language_); }
    std::string text() const { return printable(trace_.text(e_.text)); }
    std::string noted() const;
    std::string set() const { return set_in(printable(trace_.set_name(e_.set)), language_); }
    std::string item() const { return e_.co != kNone ? co() : says(ToldText::timer_n, e_.other); }
    std::string machine() const { return says(ToldText::machine_n, e_.m); }
    std::string shared_stack() const { return says(ToldText::shared_stack_n, e_.set); }
    static std::string moment(std::int64_t t) { return in_words(static_cast<std::uint64_t>(t < 0 ? 0 : t)); }
    std::string size(std::int64_t bytes) const;
    std::string called(State state) const;
    std::string in_the_lab(State state) const;
    std::string key(ToldText before) const {
        return e_.text == kNone ? "" : says(before, key_in_words(trace_.text(e_.text)));
    }
    std::string reason(ToldText before) const { return e_.text == kNone ? "" : says(before, text()); }
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
    std::string choice() const;
    std::string deferred() const;

    bool was_unwound() const;

    const Trace& trace_;
    const std::size_t n_;
    const Event e_;
    const Language language_;
    const Access access_;  // of an `access`
};

std::string Describer::size(std::int64_t bytes) const {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
    if (bytes >= 1024 && bytes % 1024 == 0) return std::to_string(bytes >> 10) + " KiB";
    return says(ToldText::bytes_n, grouped(bytes));
}

// A state where it is named: by the lab's own word, if it has one.
std::string Describer::called(State state) const {
    const std::string own = trace_.lab_word(state);
    return own.empty() ? state_word(state, language_) : own;
}

// A state where a sentence says it by a verb: the lab's own word, if it has one, in brackets.
std::string Describer::in_the_lab(State state) const {
    const std::string own = trace_.lab_word(state);
    return own.empty() ? own : says(ToldText::brackets, own);
}

std::string Describer::node(std::int64_t id) const {
    if (id == kNone) return says(ToldText::link_nothing);
    const auto n = static_cast<std::uint32_t>(id);
    return e_.e3 != 0 ? says(ToldText::timer_n, n) : name_in(trace_, n, language_);
}

std::string Describer::spawn() const {
    const auto kind = e_.first<CoKind>();
    if (kind == CoKind::thread) return says(ToldText::thread_begins, co(), machine());
    std::string what = kind == CoKind::task   ? ""
                       : kind == CoKind::idle ? says(ToldText::spawned_idle)
                                              : says(ToldText::spawned_scheduler);
    if (e_.x != kAbsent) what += says(what.empty() ? ToldText::spawned_stack : ToldText::spawned_stack_too, size(e_.x));
    if (e_.y != kAbsent)
        what += says(ToldText::spawned_reusing, name_in(trace_, static_cast<std::uint32_t>(e_.y), language_));
    return (e_.other == kNone ? says(ToldText::spawned, co()) : says(ToldText::spawned_by, other(), co())) + what;
}

// What becomes of the one that a switch left: "… stays ready".
std::string Describer::left_behind() const {
    const std::string until = e_.x == kAbsent     ? ""
                              : e_.x == INT64_MAX ? says(ToldText::until_forever)
                                                  : says(ToldText::until_time, moment(e_.x));
    const std::string own = in_the_lab(e_.second<State>());
    switch (e_.second<State>()) {
    case State::normal: return says(ToldText::left_normal, own);
    case State::ready: return says(ToldText::left_ready, own, reason(ToldText::colon));
    case State::suspended: return says(ToldText::left_suspended, own, reason(ToldText::colon));
    case State::sleeping: return says(ToldText::left_sleeping, own, until, reason(ToldText::colon));
    case State::waiting:
        return says(ToldText::left_waiting, own,
                    e_.text == kNone ? "" : says(ToldText::waits_for_what, awaited(text(), language_)),
                    until.empty() ? "" : says(ToldText::until_at_latest, until));
    case State::dead: return says(ToldText::left_dead, own, reason(ToldText::colon));
    default: return says(ToldText::left_as, called(e_.second<State>()));
    }
}

// Whether the one that ends here was resumed only for that. What it does meanwhile is little, so that a short look back
// finds it.
bool Describer::was_unwound() const {
    constexpr std::size_t kFar = 64;
    for (std::size_t n = n_; n > 0 && n_ - n < kFar;) {
        --n;
        if (trace_[n].kind == Kind::switch_ && trace_[n].other == e_.co) return sends_to_unwind(trace_, n);
    }
    return false;
}

std::string Describer::switched() const {
    const std::string then = says(ToldText::then_left, co(), left_behind());
    const auto left = e_.second<State>();
    const bool resumes = left == State::normal;
    const bool hands_over = left == State::ready || left == State::sleeping || left == State::waiting;
    switch (e_.first<Why>()) {
    case Why::start:
        if (hands_over) return says(ToldText::hands_over_first, co(), other(), then);
        return says(resumes ? ToldText::enters_first_resume : ToldText::enters_first, co(), other(), then);
    case Why::resume:
        if (sends_to_unwind(trace_, n_)) return says(ToldText::unwinds, co(), other(), then);
        return says(resumes ? ToldText::resumes : ToldText::switches_to, co(), other(), then);
    case Why::yield: return says(ToldText::yields_to, co(), other(), left_behind());
    case Why::exit:
        return says(was_unwound() ? ToldText::is_unwound : ToldText::ends, co(), in_the_lab(State::dead), other(),
                    reason(ToldText::colon));
    case Why::swap: return says(hands_over ? ToldText::hands_over : ToldText::switches_as_equal, co(), other(), then);
    case Why::jump: return says(ToldText::jumps, co(), other(), then);
    }
    return {};
}

std::string Describer::state() const {
    const auto to = e_.second<State>();
    if (to == State::dead) {
        if (e_.text != kNone) return says(ToldText::dies_by_exception, co(), text());
        return says(e_.third<Cause>() == Cause::cancel ? ToldText::dies_cancelled : ToldText::dies, co());
    }
    static constexpr ToldText kBecause[] = {
        ToldText::count,          ToldText::because_spawned, ToldText::because_event, ToldText::because_deadline,
        ToldText::because_signal, ToldText::because_cancel,  ToldText::because_stop,  ToldText::because_unlocked};
    return says(ToldText::becomes, co(), called(to), called(e_.first<State>()),
                e_.third<Cause>() == Cause::none ? "" : says(ToldText::colon, says(kBecause[e_.e3])),
                reason(ToldText::comma));
}

std::string Describer::set_declared() const {
    static constexpr ToldText kOf[] = {ToldText::of_ready, ToldText::of_sleep,   ToldText::of_wait, ToldText::of_lock,
                                       ToldText::of_timer, ToldText::of_removed, ToldText::of_pool};
    static constexpr ToldText kShape[] = {ToldText::a_queue, ToldText::a_tree, ToldText::a_heap, ToldText::a_wheel,
                                          ToldText::a_map};
    return says(ToldText::set_appears, set(), says(kShape[e_.e2]),
                e_.y == kAbsent ? "" : says(ToldText::with_slots, grouped(e_.y)), says(kOf[e_.e1]),
                e_.other == kNone ? "" : says(ToldText::by_key, order_in(printable(trace_.text(e_.other)), language_)),
                e_.x == kAbsent ? "" : says(ToldText::of_machine, e_.x));
}

std::string Describer::insert() const {
    return says(ToldText::enters_set, item(), set(), key(ToldText::under_key),
                e_.x == kAbsent ? "" : says(ToldText::at_place, e_.x));
}

std::string Describer::link() const {
    if (e_.e1 == link_field::root) return says(ToldText::link_in, set(), says(ToldText::link_root, node(e_.co)));
    std::string what;
    const auto add = [&](const std::string& part) { what += what.empty() ? part : says(ToldText::comma, part); };
    if (e_.e1 & link_field::left) add(says(ToldText::link_left, node(e_.co), node(e_.x)));
    if (e_.e1 & link_field::right) add(says(ToldText::link_right, node(e_.co), node(e_.y)));
    if (e_.e1 & link_field::parent) add(says(ToldText::link_parent, node(e_.co), node(e_.other)));
    if (e_.e1 & link_field::color)
        add(says(e_.second<Color>() == Color::red ? ToldText::link_red : ToldText::link_black, node(e_.co)));
    return says(ToldText::link_in, set(), what.empty() ? says(ToldText::link_none, node(e_.co)) : what);
}

std::string Describer::copy() const {
    return says(e_.first<Direction>() == Direction::out ? ToldText::copied_out : ToldText::copied_in, size(e_.x), co(),
                shared_stack(), e_.y == kAbsent ? "" : says(ToldText::copy_buffer, size(e_.y)), e_.x);
}

std::string Describer::access() const {
    const std::string lies = e_.other == kNone   ? says(ToldText::lies_none)
                             : e_.other == e_.co ? says(ToldText::lies_own)
                                                 : says(ToldText::lies_other, other());
    if (access_.hazard())
        return says(ToldText::uses_anothers, co(), name_in(trace_, access_.whose, language_), grouped(e_.x),
                    shared_stack(), lies);
    return says(ToldText::uses_address, co(), shared_stack(), grouped(e_.x), lies);
}

std::string Describer::stack() const {
    switch (e_.first<StackOp>()) {
    case StackOp::alloc: return says(ToldText::stack_new, co(), size(e_.x));
    case StackOp::free: return says(ToldText::stack_released, co(), size(e_.x));
    case StackOp::reuse: return says(ToldText::stack_reused, co(), size(e_.x));
    }
    return {};
}

std::string Describer::io() const {
    const std::string call =
        e_.set == kNone ? text() : says(ToldText::call_on_fd, text(), says(ToldText::fd_n, e_.set));
    const std::string limit = e_.x == kAbsent ? "" : says(ToldText::at_most_until, moment(e_.x));
    const std::string want = e_.second<Want>() == Want::read    ? says(ToldText::io_for_read)
                             : e_.second<Want>() == Want::write ? says(ToldText::io_for_write)
                                                                : "";
    const auto error = [&] { return std::generic_category().message(static_cast<int>(e_.other & 0x7fffffff)); };
    switch (e_.first<IoPhase>()) {
    case IoPhase::call: return says(ToldText::io_calls, co(), call, limit);
    case IoPhase::block: return says(ToldText::io_blocks, co(), call, want, limit);
    case IoPhase::ready: return says(ToldText::io_goes_on, co(), call);
    case IoPhase::done: return says(ToldText::io_done, co(), call, e_.y == kAbsent ? "" : says(ToldText::colon, e_.y));
    case IoPhase::timeout: return says(ToldText::io_too_long, call, co());
    case IoPhase::cancel: return says(ToldText::io_cancelled, call, co());
    case IoPhase::error:
        return says(ToldText::io_fails, call, co(), e_.other == kNone ? "" : says(ToldText::colon, error()));
    }
    return {};
}

std::string Describer::poll() const {
    const std::string fd = e_.set == kNone ? says(ToldText::a_descriptor) : says(ToldText::fd_n, e_.set);
    switch (e_.first<PollPhase>()) {
    case PollPhase::enter:
        if (e_.x == kAbsent || e_.x == -1) return says(ToldText::polls_forever, machine());
        return e_.x == 0 ? says(ToldText::polls_at_once, machine())
                         : says(ToldText::polls_at_most, machine(), moment(e_.x));
    case PollPhase::leave:
        return e_.other == kNone ? says(ToldText::leaves_poller, machine())
                                 : says(ToldText::leaves_poller_with, machine(), e_.other);
    case PollPhase::add: return says(ToldText::poller_adds, fd);
    case PollPhase::mod: return says(ToldText::poller_changes, fd);
    case PollPhase::del: return says(ToldText::poller_drops, fd);
    }
    return {};
}

std::string Describer::timer() const {
    const std::string number = says(ToldText::timer_n, e_.other);
    const std::string name = e_.co == kNone ? number : says(ToldText::timer_of, number, co());
    const std::string due = (e_.x == kAbsent ? "" : says(ToldText::timer_due, moment(e_.x))) +
                            (e_.y == kAbsent || e_.y == 0 ? "" : says(ToldText::timer_every, moment(e_.y)));
    switch (e_.first<TimerOp>()) {
    case TimerOp::add: return says(ToldText::timer_set, name, due);
    case TimerOp::refresh: return says(ToldText::timer_reset, name, due);
    case TimerOp::cancel: return says(ToldText::timer_cancelled, name);
    case TimerOp::fire: return says(ToldText::timer_fires, name);
    }
    return {};
}

std::string Describer::machine_step() const {
    const std::string from = e_.other == kNone ? "" : says(ToldText::steals_from, says(ToldText::machine_n, e_.other));
    switch (e_.first<MachineOp>()) {
    case MachineOp::start: return says(ToldText::machine_starts, machine());
    case MachineOp::park: return says(ToldText::machine_parks, machine());
    case MachineOp::unpark: return says(ToldText::machine_woken, machine());
    case MachineOp::steal:
        return e_.x == kAbsent ? says(ToldText::machine_steals_work, machine(), from)
                               : says(ToldText::machine_steals, machine(), e_.x, from);
    case MachineOp::stop: return says(ToldText::machine_stops, machine());
    }
    return {};
}

std::string Describer::lock() const {
    const auto mode = e_.second<LockMode>();
    const std::string object = says(mode == LockMode::cond ? ToldText::the_condition : ToldText::the_lock, text());
    const std::string use = mode == LockMode::read    ? says(ToldText::use_read)
                            : mode == LockMode::write ? says(ToldText::use_write)
                                                      : "";
    switch (e_.first<LockOp>()) {
    case LockOp::acquire: return says(ToldText::lock_taken, co(), object, use);
    case LockOp::block: return says(ToldText::lock_awaited, co(), object, use);
    case LockOp::release: return says(ToldText::lock_released, co(), object);
    case LockOp::wait: return says(ToldText::signal_awaited, co(), object);
    case LockOp::signal: return says(ToldText::wakes_one, co(), object);
    case LockOp::broadcast: return says(ToldText::wakes_all, co(), object);
    case LockOp::timeout: return says(ToldText::lock_given_up, co(), object, use);
    }
    return {};
}

std::string Describer::choice() const {
    const std::string next = says(ToldText::machine_n, e_.other), others = text();
    std::string what;
    switch (e_.first<Turn>()) {
    case Turn::seen_later: what = says(ToldText::seen_later, next); break;
    case Turn::seen_at_once: what = says(ToldText::seen_at_once, next); break;
    default:
        what = says(e_.first<Turn>() == Turn::preemption ? ToldText::preempts : ToldText::goes_on, next);
        if (!others.empty())
            what = says(others.find(',') == std::string::npos ? ToldText::one_could : ToldText::several_could, what,
                        others);
    }
    return says(ToldText::choice_n, e_.x, what);
}

std::string Describer::deferred() const {
    return says(e_.first<DeferOp>() == DeferOp::push ? ToldText::defers_call : ToldText::runs_deferred, co(), e_.x);
}

/// The note of a failed assertion of a test begins with "failed: " (labs/kit/report); it is no note of the program's.
std::string Describer::noted() const {
    constexpr std::string_view kFailed = "failed: ";
    const std::string note = text();
    const bool fails = note.starts_with(kFailed);
    const std::string told = translated_note(std::string_view(note).substr(fails ? kFailed.size() : 0), language_);
    if (e_.co == kNone) return says(fails ? ToldText::test_fails : ToldText::note_of_none, told);
    return says(fails ? ToldText::test_fails_in : ToldText::note_of, co(), told);
}

std::string Describer::sentence() const {
    switch (e_.kind) {
    case Kind::spawn: return spawn();
    case Kind::switch_: return switched();
    case Kind::state: return state();
    case Kind::set: return set_declared();
    case Kind::insert: return insert();
    case Kind::remove: return says(ToldText::leaves_set, item(), set(), key(ToldText::was_under_key));
    case Kind::move: return says(ToldText::moves_in_set, item(), e_.x, set());
    case Kind::hand: return says(ToldText::hand_is_at, set(), e_.x);
    case Kind::link: return link();
    case Kind::own:
        return e_.co == kNone ? says(ToldText::owned_by_none, e_.set) : says(ToldText::owned_by, co(), e_.set);
    case Kind::copy: return copy();
    case Kind::access: return access();
    case Kind::stack: return stack();
    case Kind::io: return io();
    case Kind::poll: return poll();
    case Kind::timer: return timer();
    case Kind::machine: return machine_step();
    case Kind::lock: return lock();
    case Kind::defer: return deferred();
    case Kind::fault:
        return e_.co == kNone ? says(ToldText::fault_at, machine(), text()) : says(ToldText::fault_of, co(), text());
    case Kind::note: return noted();
    case Kind::choice: return choice();
    }
    return {};
}

}  // namespace

std::string describe(const Trace& trace, std::size_t event, Language language) {
    return Describer(trace, event, language).sentence();
}

}  // namespace fiberscope::trace
