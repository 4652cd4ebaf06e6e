// Demos of lab 03. Each writes a trace.
#include "labs/kit/demo/demo.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "labs/03_shared_stack/access.h"
#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/schedule.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"

using namespace fiberscope;
using namespace fiberscope::lab03;
using kit::DemoOptions;
using kit::note;
using kit::work;

namespace {

constexpr std::uint64_t kMicrosecond = 1000;

// Calls `act` with about `bytes` more of the stack in use.
template <class F>
[[gnu::noinline]] void deep_down(std::size_t bytes, F act) {
    constexpr std::size_t kPiece = 128;
    char piece[kPiece];
    asm volatile("" ::"r"(piece) : "memory");  // forces the array to exist
    if (bytes > kPiece)
        deep_down(bytes - kPiece, act);
    else
        act();
    asm volatile("" ::"r"(piece) : "memory");  // … until here, which prevents a tail call
}

// ---- interleave: cloudwu's schedule -----------------------------------------------------------------------------

// Depths that put the size of an image about halfway between two capacities, so that slightly larger or smaller frames
// of another compiler do not change a recording.
constexpr std::size_t kShallower = 144, kShallow = 272, kDeeper = 1938, kDeep = 6218, kDeepest = 8924;

Schedule::Function yields_at(std::size_t depth, int rounds) {
    return [depth, rounds](Schedule& schedule) {
        for (int i = 0; i < rounds; ++i) {
            work(2 * kMicrosecond);
            deep_down(depth, [&] { schedule.yield(); });
        }
    };
}

void interleave(const DemoOptions&) {
    Schedule schedule("ucontext");
    note("one stack of 1 MiB for all; the one that yields is saved at once, the one that is resumed is put back");
    std::vector<int> all{schedule.create(yields_at(kShallower, 3), "shallow"),
                         schedule.create(yields_at(kDeeper, 4), "deeper"),
                         schedule.create(yields_at(kDeepest, 3), "deepest")};
    for (bool any = true; any;) {
        any = false;
        for (const int id : all) {
            if (schedule.status(id) == Status::DEAD) continue;
            schedule.resume(id);
            work(kMicrosecond);
            any = true;
        }
    }
}

// ---- owners: libco's groups of 1, 2 and 4 stacks ----------------------------------------------------------------

void owners(std::size_t count) {
    SharedStacks group(count);
    note("four coroutines on {0} {0:stack|stacks}: a stack is copied only when another coroutine moves in", count);
    std::vector<std::unique_ptr<Coroutine>> all;
    const std::pair<const char*, std::size_t> four[] = {{"A", kShallow}, {"B", kDeeper}, {"C", kDeep}, {"D", kDeepest}};
    for (const auto& [name, depth] : four)
        all.push_back(std::make_unique<Coroutine>(
            [bytes = depth] {
                for (int i = 0; i < 4; ++i) {
                    work(2 * kMicrosecond);
                    deep_down(bytes, [] { yield(); });
                }
            },
            group, name));
    // All in turn; then A and B talk to each other, then C and D; then all again. With two stacks A and B
    // have room at the same time, and so have C and D.
    const std::size_t order[] = {0, 1, 2, 3, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 0, 1, 2, 3};
    for (const std::size_t i : order) {
        if (!all[i]->done()) all[i]->resume();
        work(kMicrosecond);
    }
}

void owners_1(const DemoOptions&) { owners(1); }
void owners_2(const DemoOptions&) { owners(2); }
void owners_4(const DemoOptions&) { owners(4); }

// ---- hazard: the address of a local, used by another coroutine --------------------------------------------------

// Fills a whole page, so that the offset of `value` does not depend on a compiler's frames.
struct alignas(4096) OnItsPage {
    volatile int value;
};

class Hazard {
  public:
    void run() {
        note("two coroutines on one shared stack; the writer hands the address of a local to the reader");
        Coroutine writer([this] { write(); }, group_, "writer");
        Coroutine reader([this] { read(); }, group_, "reader");
        writer.resume();
        reader.resume();
        writer.resume();
    }

  private:
    [[gnu::noinline]] void write() {
        OnItsPage local{4711};
        handed_ = &local.value;
        record_access(group_.stack(0), &local);
        note("the writer's local holds {0}", *handed_);
        work(2 * kMicrosecond);
        yield();
        record_access(group_.stack(0), &local);
        note("back in its place the writer's local holds {0}: what the reader wrote went to the reader's own stack",
             local.value);
    }
    [[gnu::noinline]] void read() {
        OnItsPage local{815};
        record_access(group_.stack(0), const_cast<int*>(handed_));
        note("through that address the reader finds {0}: a local of its own, at the same depth", *handed_);
        *handed_ = 1;
        record_access(group_.stack(0), const_cast<int*>(handed_));
        note("it writes 1 there, and its own local is now {0}", local.value);
        work(2 * kMicrosecond);
    }

    SharedStacks group_{1};
    volatile int* handed_ = nullptr;
};

void hazard(const DemoOptions&) { Hazard().run(); }

// ---- states: every edge of both diagrams ------------------------------------------------------------------------

void cloudwu_states() {
    Schedule schedule("asm");
    note("cloudwu: READY, RUNNING, SUSPEND, RUNNING, DEAD");
    const int walks = schedule.create(yields_at(kShallow, 1), "walks every edge");
    schedule.resume(walks);
    schedule.resume(walks);
    note("its slot is used again, by one that is still SUSPEND when the schedule is closed: it is unwound");
    schedule.resume(schedule.create(yields_at(kShallow, 9), "unwound"));
    schedule.create(yields_at(kShallow, 1), "never resumed");
}

void libco_states() {
    SharedStacks group(1);
    note("libco: made (start 0), running (start 1), pending, running, ended (end 1)");
    Coroutine inner([] { deep_down(kShallower, [] { yield(); }); }, group, "inner");
    Coroutine outer(
        [&] {
            deep_down(kShallower, [&] { inner.resume(); });
            note("inner is pending, so outer waits for no other any more");
            deep_down(kShallower, [] { yield(); });
            deep_down(kShallower, [&] { inner.resume(); });
        },
        group, "outer");
    outer.resume();
    outer.resume();
    Coroutine released([] { deep_down(kShallower, [] { yield(); }); },
                       Attributes{.name = "released", .shared = &group});
    released.resume();
    note("released while it is pending: it is unwound");
    released.release();
    const Coroutine unused([] {}, group, "never resumed");
}

void states(const DemoOptions&) {
    cloudwu_states();
    libco_states();
}

constexpr const char* kCloudwusWords[][2] = {
    {"READY", "new"}, {"RUNNING", "running"}, {"SUSPEND", "suspended"}, {"DEAD", "dead"}, {nullptr, nullptr}};

constexpr kit::Demo kDemos[] = {
    {"interleave", "cloudwu's schedule: three stacks of different depth take turns on one", interleave, kCloudwusWords},
    {"owners_1", "libco's way: four coroutines on 1 shared stack", owners_1},
    {"owners_2", "the same four on 2 shared stacks", owners_2},
    {"owners_4", "the same four on 4 shared stacks: nothing is copied", owners_4},
    {"hazard", "the address of a local on a shared stack points to the bytes of another coroutine", hazard},
    {"states", "every edge of cloudwu's and libco's state diagrams", states, kCloudwusWords},
};

}  // namespace

int main(int argc, char** argv) { return kit::demo_main(argc, argv, kDemos); }
