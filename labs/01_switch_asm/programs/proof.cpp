// The grader's questions for lab 01; see labs/kit/testing/proof.h.
#include <cfenv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/kit/testing/conversation.h"

using namespace fiberscope;
using kit::testing::answer;
using kit::testing::Conversation;
using kit::testing::Numbers;
using kit::testing::Reach;

namespace {

/// Contexts that switch to each other directly; prints what each kept in registers and in the floating-point
/// environment.
class Ring {
  public:
    Ring(Numbers& numbers, lab01::SwitchFunction jump) : numbers_(numbers), jump_(jump) {}

    void run(bool rounds) {
        rounds_ = rounds;
        for (std::size_t i = 1; i < kSize; ++i) {
            stacks_.emplace_back(64 * 1024);
            const kit::StackBounds stack = stacks_.back().bounds();
            lab01::make_context(contexts_[i], stack.bottom, stack.size, &Ring::entry, this);
        }
        while (turns_ < 300) speak();
        std::fesetround(FE_TONEAREST);
    }

  private:
    static constexpr std::size_t kSize = 5;
    static void entry(void* ring) {
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

// ---- 1.1 ------------------------------------------------------------------------------------------------------------

void first_entry(void*) {}
void second_entry(void*) {}

/// Makes contexts in memory with random contents, on stacks with arbitrary bounds; prints the meaning of each word of a
/// context and the number of bytes written outside the stack.
class Maker {
  public:
    explicit Maker(Numbers& numbers) : numbers_(numbers) {}

    void make() {
        for (std::byte& byte : memory_) byte = static_cast<std::byte>(numbers_.below(256));
        const std::vector<std::byte> before = memory_;
        bottom_ = memory_.data() + numbers_.below(64);
        size_ = 512 + numbers_.below(3000);
        entry_ = numbers_.below(2) == 0 ? first_entry : second_entry;
        argument_ = numbers_.next();
        lab01::Context context;
        for (std::size_t i = 0; i < sizeof context; ++i)
            reinterpret_cast<unsigned char*>(&context)[i] = static_cast<unsigned char>(numbers_.below(256));
        lab01::make_context(context, bottom_, size_, entry_, reinterpret_cast<void*>(argument_));
        std::uint64_t words[sizeof context / sizeof(std::uint64_t)];
        std::memcpy(words, &context, sizeof words);
#if defined(__x86_64__)
        words[std::size(words) - 1] &= 0xffff'ffff'ffff;  // the last two bytes are padding
#endif
        for (std::size_t i = 0; i < std::size(words); ++i) tell(i, words[i]);
        std::size_t outside = 0;
        for (std::size_t i = 0; i < memory_.size(); ++i)
            outside += memory_[i] != before[i] && (&memory_[i] < bottom_ || &memory_[i] >= bottom_ + size_) ? 1U : 0U;
        answer("written outside", 0, outside);
    }

  private:
    void tell(std::size_t i, std::uint64_t word) const {
        const auto bottom = reinterpret_cast<std::uintptr_t>(bottom_);
        if (word == reinterpret_cast<std::uintptr_t>(entry_)) return answer("entry", i, entry_ == second_entry ? 2 : 1);
        if (word == reinterpret_cast<std::uintptr_t>(&lab01::context_start)) return answer("start", i, 0);
        // Relative to an aligned address: the start of the memory differs between runs.
        if (word >= bottom && word <= bottom + size_)
            return answer("below the top", i, (bottom + size_) / 16 * 16 - word);
        answer("word", i, word);
    }

    Numbers& numbers_;
    std::vector<std::byte> memory_ = std::vector<std::byte>(4096);
    std::byte* bottom_ = nullptr;
    std::size_t size_ = 0;
    lab01::Entry entry_ = nullptr;
    std::uint64_t argument_ = 0;
};

void made(Numbers& numbers) {
    Maker maker(numbers);
    for (int i = 0; i < 100; ++i) maker.make();
}

struct Lab {
    using Coroutine = lab01::Coroutine;
    static Coroutine* make(kit::Body body) { return new Coroutine(std::move(body)); }
    static void yield() { lab01::yield(); }
};

void converse(Numbers& numbers, Reach reach) {
    Lab lab;
    Conversation<Lab>(lab, numbers, reach).hold();
}

/// Each coroutine resumes another one, until that is refused. All are kept, since none has ended.
void nest(unsigned depth) {
    auto* inner = new lab01::Coroutine([depth] {
        nest(depth + 1);
        for (;;) lab01::yield();
    });
    kit::testing::misuse(depth, [&] { inner->resume(); });
}

void contexts(Numbers& numbers) { Ring(numbers, &lab01::_switch).run(false); }
void floats(Numbers& numbers) { Ring(numbers, &lab01::_switch_float).run(true); }
void yields(Numbers& numbers) {
    converse(numbers, Reach::yields);
    nest(1);
}
void ends(Numbers& numbers) { converse(numbers, Reach::ends); }
void exceptions(Numbers& numbers) { converse(numbers, Reach::throws); }

constexpr kit::testing::Question kQuestions[] = {{"made", made}, {"contexts", contexts},     {"yields", yields},
                                                 {"ends", ends}, {"exceptions", exceptions}, {"floats", floats}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
