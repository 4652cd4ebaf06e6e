// Step 4.1: what tasks need from coroutines. In a student's tree this is the student's own lab 01: its switch, resume
// and yield run here, so that mistakes in them are found here too.
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <vector>

#include "labs/04_scheduler/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

extern "C" void _switch(void* next, void* current);  // lab 01's; this lab knows only its name

namespace {

using kit::MisuseKind;

/// A coroutine that is not a task: it has its own memory, and anyone may resume it.
class Own {
  public:
    explicit Own(Body body) : core_(kit::asm_backend.create(room_.data(), std::move(body), {})) {}
    ~Own() { kit::asm_backend.destroy(core_); }
    Own(const Own&) = delete;
    Own& operator=(const Own&) = delete;

    void resume() { kit::resume(kit::asm_backend, core_); }
    static void yield() { kit::asm_backend.yield(State::suspended, trace::kAbsent, nullptr); }

  private:
    std::vector<std::max_align_t> room_ =
        std::vector<std::max_align_t>(kit::asm_backend.size / sizeof(std::max_align_t) + 1);
    kit::Core& core_;
};

/// Nests coroutines to the given depth, the task included, and calls `act` in the innermost.
void at_depth(std::uint32_t depth, const std::function<void()>& act) {
    if (kit::thread_state().callers.depth() == depth) return act();
    Own([&] { at_depth(depth, act); }).resume();
}

/// Returns how a resume is refused; no value if it is not.
std::optional<MisuseKind> refusal_of(const std::function<void()>& resume) {
    const auto misuse = misuse_of(resume);
    return misuse ? std::optional(misuse->kind()) : std::nullopt;
}

std::string in_words(const trace::Trace& recorded, const std::vector<trace::RegisterValue>& registers) {
    std::string words;
    for (const trace::RegisterValue& one : registers)
        words +=
            std::string(recorded.text(one.name).bytes()) + "=" + std::string(recorded.text(one.value).bytes()) + " ";
    return words;
}

}  // namespace

TEST_CASE("4.1 a switch loads the values that the registers had when their owner left") {
    INFO("lab 01's switch must save each register in the slot from which it loads it");
    const trace::Trace recorded = trace_of("registers_of_tasks", [] {
        Scheduler sched;
        for (int i = 0; i < 2; ++i) sched.go([] { yield(); });
        run_ready(sched);
    });
    std::map<std::uint32_t, std::string> left;
    std::size_t compared = 0;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        if (recorded[i].kind != trace::Kind::switch_) continue;
        left[recorded[i].co] = in_words(recorded, recorded.saved(i));
        const auto before = left.find(recorded[i].other);
        if (before == left.end()) continue;  // a new one
        CHECK(in_words(recorded, recorded.loaded(i)) == before->second);
        ++compared;
    }
    CHECK(compared == 6);
}

TEST_CASE("4.1 a switch to the context that it leaves returns") {
    INFO("lab 01's switch must save everything before it loads anything");
    Scheduler sched;
    bool back = false;
    sched.go([&] {
        alignas(16) std::byte context[1024]{};  // larger than any registers
        _switch(context, context);
        back = true;
    });
    run_ready(sched);
    CHECK(back);
}

TEST_CASE("4.1 a task may nest as many coroutines as a thread may, and no more") {
    INFO("lab 01's resume must refuse one level too many, for new and yielded coroutines, and none before");
    Scheduler sched;
    std::optional<MisuseKind> last, new_one, one_that_has_yielded;
    sched.go([&] {
        Own fresh([] {}), left([] {
            for (;;) Own::yield();
        });
        left.resume();
        at_depth(kit::kMostNested - 1, [&] { last = refusal_of([&] { left.resume(); }); });
        at_depth(kit::kMostNested, [&] {
            new_one = refusal_of([&] { fresh.resume(); });
            one_that_has_yielded = refusal_of([&] { left.resume(); });
        });
    });
    run_ready(sched);
    CHECK(last == std::nullopt);
    CHECK(new_one == MisuseKind::nesting_too_deep);
    CHECK(one_that_has_yielded == MisuseKind::nesting_too_deep);
}

TEST_CASE("4.1 a task that runs, or waits for a coroutine of its own, cannot be resumed by another") {
    INFO("lab 01's resume must refuse it for this reason, on each thread, even at the nesting limit");
    Scheduler sched;
    std::vector<std::optional<MisuseKind>> refusals;
    sched.go([&] {
        kit::Core& self = *kit::thread_state().current;
        const auto resume_it = [&] { kit::resume(kit::asm_backend, self); };
        refusals.push_back(refusal_of(resume_it));
        std::thread([&] { refusals.push_back(refusal_of(resume_it)); }).join();
        at_depth(kit::kMostNested, [&] { refusals.push_back(refusal_of(resume_it)); });
    });
    run_ready(sched);
    CHECK(refusals == std::vector<std::optional<MisuseKind>>(3, MisuseKind::resume_of_running));
}

TEST_CASE("4.1 the loop itself cannot yield") {
    INFO("lab 01's yield must refuse if no coroutine runs");
    Scheduler sched;
    bool ran = false;
    sched.go([&] { ran = true; });
    run_ready(sched);
    CHECK(ran);
    CHECK(refusal_of([] { Own::yield(); }) == MisuseKind::yield_outside);
}
