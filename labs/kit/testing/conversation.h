// A random conversation of coroutines: each keeps numbers on its stack while it yields from some depth, resumes
// another, throws or ends, with attempts at misuse in between. Prints the order in which they ran, the numbers kept,
// the states, and the refused calls.
#pragma once

#include <memory>
#include <vector>

#include "labs/kit/run/coroutine.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/testing/proof.h"

namespace fiberscope::kit::testing {

/// Makes a call that must be refused, and prints the kind of misuse.
template <class Call>
void misuse(std::uint64_t which, const Call& call) {
    try {
        call();
        answer("taken", which, 0);
    } catch (const Misuse& refused) {
        answer("refused", which, static_cast<std::uint64_t>(refused.kind()));
    }
}

/// The features used by a conversation, by the steps solved so far.
enum class Reach { yields, ends, throws };

/// `Lab` has the type Coroutine, make(body), which returns a pointer to a new one, and yield().
template <class Lab>
class Conversation {
  public:
    Conversation(Lab& lab, Numbers& numbers, Reach reach) : lab_(lab), numbers_(numbers), reach_(reach) {}

    void hold() {
        for (unsigned i = 0; i < 7; ++i) speakers_.push_back(lab_.make([this, i] { live(i); }));
        const unsigned turns = reach_ == Reach::throws ? 20 : 200;  // some must remain, to be unwound
        for (unsigned turn = 0; turn < turns; ++turn) {
            if (numbers_.below(8) == 0) misuse(turn, [this] { lab_.yield(); });  // refused: it has no resumer
            resume_one(numbers_);
            std::uint64_t states = 0;
            for (const auto& speaker : speakers_) states = states * 8 + static_cast<std::uint64_t>(speaker->state());
            answer("states", turn, states);
        }
        if (reach_ != Reach::throws) return;
        for (auto& speaker : speakers_) delete speaker;  // unwinds the remaining ones
    }

  private:
    struct Thrown {
        std::uint64_t value;
    };
    struct Farewell {
        unsigned which;
        std::uint64_t value;
        ~Farewell() { answer("leaves", which, value); }
    };

    void live(unsigned which) {
        Numbers own(numbers_.next());
        const Farewell farewell{which, own.next()};
        do talk(which, own, own.below(5));
        while (reach_ == Reach::yields || own.below(4) != 0);
        if (reach_ == Reach::throws && own.below(2) == 0) throw Thrown{own.next()};
        answer("ends", which, own.next());
    }

    [[gnu::noinline]] void talk(unsigned which, Numbers& own, unsigned depth) {
        volatile std::uint64_t kept[12];
        for (auto& one : kept) one = own.next();
        const double ratio = static_cast<double>(own.below(1000)) / 7;
        if (depth > 0) talk(which, own, depth - 1);
        own.below(3) == 0 ? resume_one(own) : lab_.yield();
        std::uint64_t sum = static_cast<std::uint64_t>(ratio * 1000);
        for (auto& one : kept) sum = Numbers::mixed(sum ^ one);
        answer("kept", which, sum);
    }

    /// Resumes the first coroutine that can be resumed, starting at a random one; none if all wait or have ended.
    /// Sometimes first tries a coroutine that cannot be resumed.
    void resume_one(Numbers& numbers) {
        const std::size_t from = numbers.below(static_cast<unsigned>(speakers_.size()));
        for (std::size_t i = 0; i < speakers_.size(); ++i) {
            auto& speaker = *speakers_[(from + i) % speakers_.size()];
            if (speaker.state() != State::new_ && speaker.state() != State::suspended) {
                if (numbers.below(4) == 0) misuse((from + i) % speakers_.size(), [&] { speaker.resume(); });
                continue;
            }
            try {
                speaker.resume();
            } catch (const Thrown& thrown) {
                answer("threw", from, thrown.value);
            }
            return;
        }
    }

    Lab& lab_;
    Numbers& numbers_;
    Reach reach_;
    std::vector<typename Lab::Coroutine*> speakers_;  // includes those that never end
};

}  // namespace fiberscope::kit::testing
