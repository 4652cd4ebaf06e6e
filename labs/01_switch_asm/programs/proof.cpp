// What the grader asks of lab 01: see labs/kit/testing/proof.h.
#include <cfenv>
#include <cstddef>
#include <vector>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/kit/testing/conversation.h"

using namespace fiberscope;
using kit::testing::answer;
using kit::testing::Conversation;
using kit::testing::Numbers;
using kit::testing::Reach;

namespace {

/// Contexts that switch to each other by hand, and what each kept in registers and in the floating-point environment.
class Ring {
  public:
    Ring(Numbers& numbers, lab01::SwitchFunction jump) : numbers_(numbers), jump_(jump) {}

    void run(bool rounds) {
        rounds_ = rounds;
        for (std::size_t i = 1; i < kSize; ++i) {
            stacks_.emplace_back(64 * 1024);
            const kit::StackBounds stack = stacks_.back().bounds();
            lab01::make_context(contexts_[i], stack.bottom, stack.size, &Ring::enter, this);
        }
        while (turns_ < 300) speak();
        std::fesetround(FE_TONEAREST);
    }

  private:
    static constexpr std::size_t kSize = 5;
    static void enter(void* ring) {
        for (;;) static_cast<Ring*>(ring)->speak();
    }

    [[gnu::noinline]] void speak() {
        const std::size_t me = here_;
        if (rounds_) choose_rounding();
        std::uint64_t a = numbers_.next(), b = numbers_.next(), c = numbers_.next(), d = numbers_.next();
        const volatile double one = 1.0, divisor = static_cast<double>(numbers_.below(1000) + 3);
        ++turns_;
        here_ = turns_ < 300 ? (me + 1 + numbers_.below(kSize - 1)) % kSize : 0;
        if (here_ != me) jump_(&contexts_[here_], &contexts_[me]);
        answer("kept", me, Numbers::mixed(a ^ Numbers::mixed(b ^ Numbers::mixed(c ^ Numbers::mixed(d)))));
        if (rounds_) std::printf("rounds %zu %a\n", me, one / divisor);
    }

    void choose_rounding() {
        constexpr int kWays[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
        std::fesetround(kWays[numbers_.below(4)]);
    }

    Numbers& numbers_;
    lab01::SwitchFunction jump_;
    lab01::Context contexts_[kSize];
    std::vector<kit::Stack> stacks_;
    std::size_t here_ = 0;
    unsigned turns_ = 0;
    bool rounds_ = false;
};

struct Lab {
    using Coroutine = lab01::Coroutine;
    static Coroutine* make(kit::Body body) { return new Coroutine(std::move(body)); }
    static void yield() { lab01::yield(); }
};

void converse(Numbers& numbers, Reach reach) {
    Lab lab;
    Conversation<Lab>(lab, numbers, reach).hold();
}

void contexts(Numbers& numbers) { Ring(numbers, &lab01::_switch).run(false); }
void floats(Numbers& numbers) { Ring(numbers, &lab01::_switch_float).run(true); }
void yields(Numbers& numbers) { converse(numbers, Reach::yields); }
void ends(Numbers& numbers) { converse(numbers, Reach::ends); }
void exceptions(Numbers& numbers) { converse(numbers, Reach::throws); }

constexpr kit::testing::Question kQuestions[] = {
    {"contexts", contexts}, {"yields", yields}, {"ends", ends}, {"exceptions", exceptions}, {"floats", floats}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
