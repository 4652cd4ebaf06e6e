// The grader's questions for lab 03; see labs/kit/testing/proof.h.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/schedule.h"
#include "labs/kit/testing/conversation.h"

using namespace fiberscope;
using kit::testing::answer;
using kit::testing::Numbers;
using kit::testing::Reach;

namespace {

// ---- 3.1, 3.2 -------------------------------------------------------------------------------------------------------

std::uint64_t sum_of(const std::byte* bytes, std::size_t size) {
    std::uint64_t sum = size;
    for (std::size_t i = 0; i < size; ++i) sum = Numbers::mixed(sum ^ std::to_integer<std::uint64_t>(bytes[i]));
    return sum;
}

/// Memory used as a stack, filled with random numbers.
struct Memory {
    std::vector<std::byte> bytes = std::vector<std::byte>(8192);
    kit::StackBounds bounds() { return {bytes.data(), bytes.size()}; }
    void fill(Numbers& numbers) {
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(numbers.below(256));
    }
};

void images_of(Numbers& numbers, bool back) {
    Memory memory;
    lab03::Image images[4];
    for (int round = 0; round < 60; ++round) {
        const unsigned which = numbers.below(4);
        memory.fill(numbers);
        images[which].save(memory.bounds(), 1 + numbers.below(8000));
        answer("saves", images[which].capacity(), sum_of(images[which].data(), images[which].size()));
        if (!back) continue;
        const lab03::Image& other = images[numbers.below(4)];
        memory.fill(numbers);
        if (other.size() > 0) other.restore(memory.bounds());
        answer("restores", other.size(), sum_of(memory.bytes.data(), memory.bytes.size()));
    }
}

/// Whether the live bytes reach from the top to below this frame, at random depths, and whether other stacks are
/// refused.
[[gnu::noinline]] std::size_t live_at(unsigned depth, const kit::StackBounds& stack) {
    volatile std::byte frame[512] = {};
    return (depth == 0 ? lab03::live_bytes(*kit::this_thread().own, stack) : live_at(depth - 1, stack)) +
           std::to_integer<std::size_t>(frame[depth % 512]);
}

void lives(Numbers& numbers) {
    alignas(16) std::byte top[16] = {};
    std::byte* end = top + sizeof top;
    asm volatile("" : "+r"(end));  // hides from the compiler that this exceeds the array
    constexpr std::size_t kSize = std::size_t{256} * 1024;
    const kit::StackBounds stack{end - kSize, kSize};
    const std::size_t least = live_at(0, stack), frame = live_at(1, stack) - least;
    for (int round = 0; round < 40; ++round) {
        const unsigned depth = numbers.below(300);
        answer("live", depth, live_at(depth, stack) == least + depth * frame);
    }
    answer("of nothing", frame >= 512, least < 4096);
    for (int round = 0; round < 10; ++round) try {
            const std::size_t small = 1024 * (1 + numbers.below(8));
            answer("live", small, live_at(20, {end - small, small}));
        } catch (const kit::Misuse& misuse) {
            answer("refused", static_cast<std::uint64_t>(misuse.kind()), numbers.next());
        }
}

void images(Numbers& numbers) {
    images_of(numbers, false);
    lives(numbers);
}
void restored(Numbers& numbers) { images_of(numbers, true); }

// ---- 3.3 ------------------------------------------------------------------------------------------------------------

/// cloudwu's coroutines by number; prints what each keeps at some depth of their shared stack.
class Speakers {
  public:
    Speakers(Numbers& numbers, const char* backend) : numbers_(numbers), schedule_(backend) {}

    void turn() {
        const int id = static_cast<int>(numbers_.below(40));
        answer("is", static_cast<std::uint64_t>(id), static_cast<std::uint64_t>(schedule_.status(id)));
        if (schedule_.status(id) != lab03::Status::DEAD) try {
                return schedule_.resume(id);
            } catch (std::uint64_t thrown) {
                return answer("threw", static_cast<std::uint64_t>(id), thrown);
            }
        const auto made = schedule_.create([this](lab03::Schedule&) { live(); });
        answer("made", static_cast<std::uint64_t>(made), schedule_.capacity() * 1000 + schedule_.alive());
    }

  private:
    void live() {
        Numbers own(numbers_.next());
        for (unsigned left = own.below(8); left > 0; --left) talk(own, own.below(6));
        if (own.below(4) == 0) throw own.next();
        answer("ends", static_cast<std::uint64_t>(schedule_.running()), own.next());
    }
    [[gnu::noinline]] void talk(Numbers& own, unsigned depth) {
        volatile std::uint64_t kept[20];
        for (auto& one : kept) one = own.next();
        depth > 0 ? talk(own, depth - 1) : schedule_.yield();
        std::uint64_t sum = 0;
        for (auto& one : kept) sum = Numbers::mixed(sum ^ one);
        answer("kept", static_cast<std::uint64_t>(schedule_.running()), sum);
    }

    Numbers& numbers_;
    lab03::Schedule schedule_;
};

void schedule(Numbers& numbers) {
    auto& speakers = *new Speakers(numbers, numbers.below(2) == 0 ? "asm" : "ucontext");
    for (int turn = 0; turn < 400; ++turn) speakers.turn();
}

// ---- 3.4 ------------------------------------------------------------------------------------------------------------

/// Few stacks for many coroutines, so that their frames must be saved and restored.
class Lab {
  public:
    using Coroutine = lab03::Coroutine;
    explicit Lab(unsigned stacks) : stacks_(stacks) {}
    Coroutine* make(kit::Body body) { return new Coroutine(std::move(body), stacks_); }
    static void yield() { lab03::yield(); }

  private:
    lab03::SharedStacks stacks_;
};

void converse(Numbers& numbers, Reach reach) {
    static Lab lab(numbers.below(3) + 1);
    kit::testing::Conversation<Lab>(lab, numbers, reach).hold();
}
void owners(Numbers& numbers) { converse(numbers, Reach::ends); }

// ---- 3.5 ------------------------------------------------------------------------------------------------------------

struct Leaves {
    std::uint64_t which, value;
    ~Leaves() { answer("leaves", which, value); }
};

/// Coroutines on private and shared stacks that release each other.
void released(Numbers& numbers) {
    for (int i = 0; i < 100; ++i) {
        const std::size_t size = numbers.next() >> (30 + numbers.below(34));
        const lab03::Place place = lab03::place_for({.name = {}, .stack_size = size});
        answer("place", place.shared == nullptr, place.stack_size);
    }
    auto& group = *new lab03::SharedStacks(2);
    auto& all = *new std::vector<std::unique_ptr<lab03::Coroutine>>(12);
    for (int turn = 0; turn < 300; ++turn) {
        const unsigned which = numbers.below(12), act = numbers.below(4);
        auto& one = all[which];
        if (one == nullptr || (one->done() && act == 0)) {
            auto body = [which, own = Numbers(numbers.next())]() mutable {
                const Leaves leaves{which, own.next()};
                for (unsigned left = own.below(6); left > 0; --left) lab03::yield();
            };
            one = std::make_unique<lab03::Coroutine>(
                std::move(body), lab03::Attributes{.shared = numbers.below(3) == 0 ? nullptr : &group});
            answer("made", which, one->stack().size);
        } else if (act == 1) {
            one->release();
            answer("released", which, one->done());
        } else if (!one->done()) {
            one->resume();
            answer("resumed", which, one->started() + 2U * one->done());
        }
    }
}

void attributes(Numbers& numbers) {
    released(numbers);
    converse(numbers, Reach::throws);  // the remaining ones are unwound
}

constexpr kit::testing::Question kQuestions[] = {
    {"images", images}, {"restored", restored}, {"schedule", schedule}, {"owners", owners}, {"attributes", attributes}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
