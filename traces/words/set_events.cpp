#include "traces/words/set_events.h"

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "traces/words/sets.h"
#include "traces/words/steps.h"
#include "traces/words/transfers.h"
#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

class SetEvent {
  public:
    SetEvent(const Trace& trace, std::size_t event, Language language)
        : trace_(trace), n_(event), e_(trace[event]), language_(language) {}

    std::string sentence() const {
        switch (e_.kind) {
        case Kind::set: return declared();
        case Kind::insert: return insert();
        case Kind::remove: return remove();
        case Kind::move: return move();
        case Kind::hand: return hand();
        default: return link();
        }
    }

  private:
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return say(language_, key, values...);
    }
    std::string set(std::uint32_t set) const { return set_in(trace_.set_name(set), language_); }
    std::string set() const { return set(e_.set); }
    std::string item() const { return member_in_words(trace_, e_, language_); }
    std::string key(const Event& e, Text before) const {
        return e.text == kNone || is_value(trace_, e) ? "" : says(before, key_in_words(trace_.text(e.text)));
    }
    std::string node(std::int64_t id) const;

    std::string declared() const;
    std::string insert() const;
    std::string remove() const;
    std::string where_from(const Transfer& transfer) const;
    std::string move() const;
    std::string hand() const;
    std::string link() const;
    std::string in_step(const std::string& what) const;

    const Trace& trace_;
    const std::size_t n_;
    const Event e_;
    const Language language_;
};

std::string SetEvent::node(std::int64_t id) const {
    if (id == kNone) return says("nothing");
    const auto n = static_cast<std::uint32_t>(id);
    return e_.e3 != 0 ? says("timer {0}", n) : name_in(trace_, n, language_);
}

std::string SetEvent::declared() const {
    return says("there is a set now: {0}, a {1}{2} of {3}{4}{5}", set(), says(kStructures[e_.e2]),
                e_.y == kAbsent ? "" : says(" with {0} slots", grouped(e_.y)), says(kMembers[e_.e1]),
                e_.other == kNone ? "" : says(", by {0}", order_in(trace_.text(e_.other), language_)),
                e_.x == kAbsent ? "" : says(", of machine {0}", e_.x));
}

std::string SetEvent::insert() const {
    const std::string what = says("{0} enters {1}{2}{3}", item(), set(), key(e_, mark(" under {0}")),
                                  e_.x == kAbsent ? "" : says(" at {0}", e_.x));
    const auto transfer = transfer_at(trace_, n_);
    return transfer ? says("{0}: {1}", name_of(*transfer, language_), what + where_from(*transfer)) : what;
}

/// ", from sleeping and waiting"; for a timer that is set again its old key.
std::string SetEvent::where_from(const Transfer& transfer) const {
    const auto left = [&](std::size_t i) { return trace_[transfer.leaves[i]]; };
    if (transfer.why == Transfer::Why::refresh) return key(left(0), mark(", where it was under {0}"));
    const std::string from = says(", from {0}", set(left(0).set));
    return transfer.leaves.size() < 2 ? from : from + says(" and {0}", set(left(1).set));
}

// The destination is omitted, because the viewer asks for a prediction of it here.
std::string SetEvent::remove() const {
    const std::string what = says("{0} leaves {1}{2}", item(), set(), key(e_, mark(", where it was under {0}")));
    const auto transfer = transfer_at(trace_, n_);
    return transfer ? says("{0}: {1}", name_of(*transfer, language_), what) : what;
}

std::string SetEvent::move() const {
    return sift_at(trace_, n_) ? in_step(says("{0} moves to {1}", item(), e_.x))
                               : says("{0} moves to {1} in {2}", item(), e_.x, set());
}

std::string SetEvent::hand() const {
    const HandTurn turn = hand_turn(trace_, n_);
    const std::string what = turn.from && *turn.from != turn.to
                                 ? says("the hand of {0} goes from slot {1} to slot {2}", set(), *turn.from, turn.to)
                                 : says("the hand of {0} is at {1}", set(), turn.to);
    const std::string then = hand_turn_in_words(trace_, turn, language_);
    return then.empty() ? what : says("{0}: {1}", what, then);
}

std::string SetEvent::link() const {
    if (e_.e1 == link_field::root) return in_step(says("the root is now {0}", node(e_.co)));
    std::string what;
    const auto add = [&](const std::string& part) { what += what.empty() ? part : says(", {0}", part); };
    if (e_.e1 & link_field::left) add(says("left of {0} is now {1}", node(e_.co), node(e_.x)));
    if (e_.e1 & link_field::right) add(says("right of {0} is now {1}", node(e_.co), node(e_.y)));
    if (e_.e1 & link_field::parent) add(says("the parent of {0} is now {1}", node(e_.co), node(e_.other)));
    if (e_.e1 & link_field::color)
        add(says(e_.second<Color>() == Color::red ? mark("{0} is now red") : mark("{0} is now black"), node(e_.co)));
    return in_step(what.empty() ? says("nothing changes at {0}", node(e_.co)) : what);
}

std::string SetEvent::in_step(const std::string& what) const {
    const std::string step = step_in_words(trace_, n_, language_);
    return says("in {0}: {1}", set(), step.empty() ? what : says("{0}: {1}", step, what));
}

}  // namespace

std::string describe_set_event(const Trace& trace, std::size_t n, Language language) {
    return SetEvent(trace, n, language).sentence();
}

}  // namespace fiberscope::trace
