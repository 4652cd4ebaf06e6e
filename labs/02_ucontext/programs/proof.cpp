// The grader's questions for lab 02; see labs/kit/testing/proof.h.
#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <memory_resource>
#include <vector>

#include "labs/02_ucontext/coroutine.h"
#include "labs/02_ucontext/fiber.h"
#include "labs/02_ucontext/pool.h"
#include "labs/kit/testing/conversation.h"

using namespace fiberscope;
using kit::testing::answer;
using kit::testing::Numbers;
using kit::testing::Reach;

namespace {

// ---- 2.1, 2.3 -------------------------------------------------------------------------------------------------------

/// Contexts that swap with each other directly; prints what each kept on its stack, and its blocked signals.
class Ring {
  public:
    explicit Ring(Numbers& numbers) : numbers_(numbers) {}

    void run(bool masks) {
        masks_ = masks;
        for (std::size_t i = 1; i < kSize; ++i) {
            stacks_.emplace_back(64 * 1024);
            const kit::StackBounds stack = stacks_.back().bounds();
            if (masks_) block_some();
            contexts_[i].make(stack.bottom, stack.size, &Ring::entry, this);
        }
        while (turns_ < 300) speak();
    }

  private:
    static constexpr std::size_t kSize = 5;
    static constexpr int kSignals[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGWINCH};
    static void entry(void* ring) {
        for (;;) static_cast<Ring*>(ring)->speak();
    }

    [[gnu::noinline]] void speak() {
        const std::size_t me = here_;
        volatile std::uint64_t kept[6];
        for (auto& one : kept) one = numbers_.next();
        if (masks_) {
            answer("blocked", me, blocked());
            block_some();
        }
        ++turns_;
        here_ = turns_ < 300 ? (me + 1 + numbers_.below(kSize - 1)) % kSize : 0;
        if (here_ != me) contexts_[here_].swap_to_me(&contexts_[me]);
        std::uint64_t sum = 0;
        for (auto& one : kept) sum = Numbers::mixed(sum ^ one);
        answer("kept", me, sum);
    }

    void block_some() {
        sigset_t some;
        sigemptyset(&some);
        for (const int signal : kSignals)
            if (numbers_.below(2) == 0) sigaddset(&some, signal);
        sigprocmask(SIG_SETMASK, &some, nullptr);
    }
    static unsigned blocked() {
        sigset_t now;
        sigprocmask(SIG_SETMASK, nullptr, &now);
        unsigned bits = 0;
        for (const int signal : kSignals) bits = 2 * bits + (sigismember(&now, signal) == 1 ? 1U : 0U);
        return bits;
    }

    Numbers& numbers_;
    lab02::Context contexts_[kSize];
    std::vector<kit::Stack> stacks_;
    std::size_t here_ = 0;
    unsigned turns_ = 0;
    bool masks_ = false;
};

void contexts(Numbers& numbers) { Ring(numbers).run(false); }

/// Contexts that each end in a randomly chosen one.
class Links {
  public:
    explicit Links(Numbers& numbers) : numbers_(numbers) {}

    void follow() {
        kit::Stack stacks[kSize] = {kit::Stack(kStack), kit::Stack(kStack), kit::Stack(kStack), kit::Stack(kStack)};
        for (std::size_t i = 0; i < kSize; ++i) {
            const kit::StackBounds stack = stacks[i].bounds();
            lab02::Context& after = i == 0 ? home_ : links_[numbers_.below(static_cast<unsigned>(i))];
            links_[i].make(stack.bottom, stack.size, &Links::entry, new Visit{*this, i}, &after);
        }
        links_[kSize - 1].swap_to_me(&home_);
        answer("home", 0, numbers_.next());
    }

  private:
    static constexpr std::size_t kSize = 4, kStack = 64 * 1024;
    struct Visit {
        Links& links;
        std::size_t number;
    };
    static void entry(void* argument) {
        const std::unique_ptr<Visit> visit(static_cast<Visit*>(argument));
        answer("visits", visit->number, visit->links.numbers_.next());
    }

    Numbers& numbers_;
    lab02::Context home_, links_[kSize];
};

void links(Numbers& numbers) {
    for (int i = 0; i < 30; ++i) Links(numbers).follow();
    Ring(numbers).run(true);
}

// ---- 2.4 ------------------------------------------------------------------------------------------------------------

/// Fibers with several lives, resumed by the thread and, in turns, by sylar's scheduler.
struct Fibers {
    Numbers& numbers;
    std::deque<lab02::Fiber> all = {};

    kit::Body life(unsigned which) {
        return [this, which] {
            Numbers own(numbers.next());
            for (unsigned left = own.below(4); left > 0; --left) {
                const volatile std::uint64_t kept = own.next();
                lab02::Fiber::yield();
                answer("kept", which, kept);
            }
            if (own.below(4) == 0) throw own.next();
            answer("ends", which, own.next());
        };
    }
    void turn() {
        const unsigned which = numbers.below(8);
        lab02::Fiber& fiber = all[which];
        answer("is", which, static_cast<std::uint64_t>(fiber.status()));
        if (fiber.status() == lab02::FiberStatus::term) return fiber.reset(life(which));
        try {
            fiber.resume();
        } catch (std::uint64_t thrown) {
            answer("threw", which, thrown);
        }
    }
};

void fibers(Numbers& numbers) {
    auto& alone = *new Fibers{numbers};
    for (unsigned which = 0; which < 8; ++which)
        alone.all.emplace_back(alone.life(which), lab02::FiberAttributes{.name = {}, .run_in_scheduler = false});
    for (int turn = 0; turn < 300; ++turn) alone.turn();
    auto& scheduler = *new lab02::Scheduler;
    auto& tasks = *new Fibers{numbers};
    for (unsigned which = 0; which < 20; ++which) scheduler.schedule(tasks.all.emplace_back(tasks.life(which)));
    for (bool again = true; again;) try {
            scheduler.run();
            again = false;
        } catch (std::uint64_t thrown) {
            answer("run threw", 0, thrown);
        }
}

// ---- 2.5 ------------------------------------------------------------------------------------------------------------

/// One contiguous piece of memory, so that a block can be identified by its offset.
class Ground : public std::pmr::memory_resource {
  public:
    std::uint64_t place_of(const void* block) const {
        return static_cast<std::uint64_t>(static_cast<const std::byte*>(block) - memory_);
    }

  private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        used_ = (used_ + alignment - 1) / alignment * alignment + bytes;
        answer("asked for", alignment, bytes);
        if (used_ > sizeof memory_) std::abort();
        return memory_ + used_ - bytes;
    }
    void do_deallocate(void* block, std::size_t bytes, std::size_t) override {
        answer("gave back", bytes, place_of(block));
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

    alignas(4096) std::byte memory_[8U << 20U];
    std::size_t used_ = 0;
};

void pools(Numbers& numbers) {
    const auto ground = std::make_unique<Ground>();
    const std::size_t alignment = std::size_t{1} << (3 + numbers.below(4));
    lab02::MemoryPool pool(1 + numbers.below(200), alignment, numbers.below(2) == 0, ground.get());
    std::vector<void*> taken;
    for (int step = 0; step < 1000; ++step) {
        const unsigned grows = step < 500 ? 3 : 1;
        if (taken.empty() || numbers.below(4) < grows) {
            taken.push_back(pool.take());
            answer("takes", pool.in_use(), ground->place_of(taken.back()));
            continue;
        }
        const std::size_t which = numbers.below(static_cast<unsigned>(taken.size()));
        pool.release(taken[which]);
        taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(which));
    }
    answer("blocks", pool.growths(), pool.blocks());
}

// ---- 2.2 ------------------------------------------------------------------------------------------------------------

struct Lab {
    using Coroutine = lab02::Coroutine;
    static Coroutine* make(kit::Body body) { return new Coroutine(std::move(body)); }
    static void yield() { lab02::yield(); }
};

void exceptions(Numbers& numbers) {
    Lab lab;
    kit::testing::Conversation<Lab>(lab, numbers, Reach::throws).hold();
}

constexpr kit::testing::Question kQuestions[] = {
    {"contexts", contexts}, {"exceptions", exceptions}, {"links", links}, {"fibers", fibers}, {"pools", pools}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
