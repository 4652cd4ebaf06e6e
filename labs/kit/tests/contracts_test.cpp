// Operations that the kit rejects because they would corrupt its sets or stacks: each ends the program with a message,
// in a child process.
#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "labs/kit/machines/work.h"
#include "labs/kit/memory/stack.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/core.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/run/transfer.h"
#include "labs/kit/sets/queue.h"
#include "labs/kit/sets/table.h"
#include "labs/kit/sets/tree.h"
#include "labs/kit/testing/child.h"
#include "labs/kit/tests/crash.h"
#include "labs/kit/time/clock.h"
#include "testing/catch.h"

using namespace fiberscope;
using kit::testing::Crash;
using kit::testing::crash_of;
using kit::testing::says;

namespace {

struct Item {
    int number = 3;
    kit::QueueLink<Item> link;
    kit::TreeNode node;
    kit::Core& core() { return *kit::this_thread().own; }
};
bool is_before(const Item& a, const Item& b) { return a.number < b.number; }
std::string number_of(const Item& item) { return std::to_string(item.number); }

struct Idle : kit::Owner<int> {
    Idle() : Owner(trace::CoKind::task, trace::Backend::asm_, kit::Stack(kit::kDefaultStackSize), "idle") {}
};
struct NoJump {
    void operator()() const {}
    void recorded(const kit::SwitchRecorder&) const {}
};

using Items = kit::Queue<Item, &Item::link>;
using ItemTree = kit::Tree<Item, &Item::node, &is_before>;
using ItemTable = kit::Table<Item, &Item::node, &Item::number>;

ItemTable a_table() { return ItemTable("waiting", trace::Role::wait, "number", &number_of); }
ItemTree a_tree() { return ItemTree::keyed<&number_of>("sleeping", trace::Role::sleep, "number"); }

void refuses(const std::function<void()>& act, const char* sentence) {
    const Crash crash = crash_of(act);
    INFO(crash.fault);
    CHECK(crash.signal == SIGABRT);
    CHECK(says(crash.fault, sentence));
}

/// Calls `act` with a set of items[0] and items[1].
template <class Set, class Act>
void refuses_in(Set (*made)(), Act act, const char* sentence) {
    refuses(
        [=] {
            Set set = made();
            Item items[3];
            set.insert(items[0]);
            set.insert(items[1]);
            act(set, items);
        },
        sentence);
}

}  // namespace

TEST_CASE("a switch from a coroutine to itself is reported with the mistake that leads to it") {
    const auto crash = [](trace::Why why, trace::State is, int pushes) {
        return crash_of([=] {
            Idle itself;
            if (is != trace::State::new_) kit::set_state(itself, is);
            for (int i = 0; i < pushes; ++i) kit::this_thread().callers.push(itself);
            const trace::State left = why == trace::Why::yield ? trace::State::suspended : trace::State::normal;
            try {
                kit::transfer(itself, itself, {why, left}, [](kit::Core&, kit::Core&) { return NoJump(); });
            } catch (const kit::Misuse& misuse) {
                kit::abort_because(misuse.what());
            }
        });
    };
    using trace::State, trace::Why;
    struct {
        Crash found;
        const char* sentence;
    } const cases[] = {
        {crash(Why::yield, State::running, 1), "it is still on top of the stack of callers: pop it before"},
        {crash(Why::exit, State::running, 1), "it is still on top of the stack of callers: pop it before"},
        {crash(Why::yield, State::running, 0), "a switch needs another coroutine as its target"},
        {crash(Why::resume, State::running, 1), "it was resumed while it was running: refuse that before the push"},
        {crash(Why::yield, State::running, 2), "it was resumed while it was running: refuse that before the push"},
        {crash(Why::start, State::new_, 1),
         "it is new, but the coroutine that is left must be running: call callers.top() before"},
        {crash(Why::yield, State::ready, 0), "it is ready, but the coroutine that is left must be running"},
    };
    for (const auto& one : cases) {
        INFO(one.found.fault);
        CHECK(one.found.signal == SIGABRT);
        CHECK(says(one.found.fault, "'idle' cannot switch to itself: "));
        CHECK(says(one.found.fault, one.sentence));
    }
}

TEST_CASE("a new coroutine that is refused is not reported as resumed") {
    const Crash crash = crash_of([] {
        const Idle idle;
        const kit::Misuse of_new(kit::MisuseKind::resume_of_running, idle);
        const kit::Misuse of_running(kit::MisuseKind::resume_of_running, *kit::this_thread().own);
        kit::abort_because((std::string(of_new.what()) + " / " + of_running.what()).c_str());
    });
    INFO(crash.fault);
    CHECK(says(crash.fault, "'idle': it is new, but refused as already resumed"));
    CHECK(says(crash.fault, "'main': it is running, so it has been resumed already"));
}

TEST_CASE("a refused transfer changes nothing: the next entry of a new coroutine is still its start") {
    // In a child: no trace can begin in a process after its first coroutine.
    const auto refused = [](trace::State left) {
        return [left]() -> std::string {
            kit::Core& own = *kit::this_thread().own;
            Idle fresh;
            try {
                kit::transfer(own, fresh, {trace::Why::resume, left}, [](kit::Core&, kit::Core&) { return NoJump(); });
                return "not refused";
            } catch (const kit::Misuse&) {
            }
            if (own.state() != trace::State::running) return "the coroutine that leaves is no longer running";
            if (fresh.state() != trace::State::new_) return "the coroutine that was entered is no longer new";
            return kit::Transfer::why_entered(fresh, trace::Why::resume) == trace::Why::start ? "" : "was started";
        };
    };
    INFO("check both transitions before anything is changed");
    CHECK(kit::answered_by_child(refused(trace::State::new_), ""));
    CHECK(kit::answered_by_child(refused(trace::State::running), ""));
}

TEST_CASE("a second push into a queue is refused with a message, for the last member too") {
    refuses(
        [] {
            Items queue("ready");
            Item items[2];
            queue.push(items[0]);
            queue.push(items[1]);
            queue.push(items[0]);
        },
        "'main' is inserted into 'ready', but it is in it already");
    refuses(
        [] {
            Items queue("ready");
            Item item;
            queue.push(item);
            queue.push(item);
        },
        "'main' is inserted into 'ready', but it is in it already");
}

TEST_CASE("operations that would corrupt a tree or a table are refused with a message") {
    const auto again = [](auto& set, Item* items) { set.insert(items[0]); };
    refuses_in(a_tree, again, "'main' is inserted into 'sleeping', but it is in it already");
    refuses_in(a_table, again, "'main' is inserted into 'waiting', but it is in it already");
    const auto stranger = [](auto& set, Item* items) { set.remove(items[2]); };
    refuses_in(a_tree, stranger, "'main' is removed from 'sleeping', but it is not in it");
    refuses_in(a_table, stranger, "'main' is removed from 'waiting', but it is not in it");
    const auto behind_in_tree = [](ItemTree& tree, Item* items) { tree.after(items[2]); };
    refuses_in(a_tree, behind_in_tree, "the successor of 'main' in 'sleeping' is requested, but it is not in it");
    const auto behind_in_table = [](ItemTable& table, Item* items) { table.next_of(items[2]); };
    refuses_in(a_table, behind_in_table, "the successor of 'main' in 'waiting' is requested, but it is not in it");
}

namespace {

class OnItsStack : public kit::Core {
  public:
    OnItsStack() : Core(trace::CoKind::task, trace::Backend::none, kit::Stack(64 * 1024), "careless") {}
};
OnItsStack* careless = nullptr;

void release_where_it_stands() { careless->release_stack(); }

}  // namespace

TEST_CASE("a stack in use is not released, with a message") {
    refuses(
        [] {
            careless = new OnItsStack;
            ucontext_t back, context;
            ::getcontext(&context);
            context.uc_stack.ss_sp = careless->stack().bottom;
            context.uc_stack.ss_size = careless->stack().size;
            context.uc_link = &back;
            ::makecontext(&context, &release_where_it_stands, 0);
            ::swapcontext(&back, &context);
        },
        "release_stack() of 'careless' was called on that stack");
}

TEST_CASE("a refused step reports the coroutine's state, and the state that it cannot enter") {
    const kit::Core& own = *kit::this_thread().own;
    const kit::Misuse misuse(own, trace::State::new_);
    CHECK(misuse.state() == trace::State::running);
    CHECK(misuse.id() == own.id());
    CHECK(says(misuse.what(), "cannot go from running to new"));
}

TEST_CASE("a trace that cannot start leaves no file, and nothing is recorded") {
    // In a child: no trace can begin in a process after its first coroutine.
    const auto begin_late = [] {
        struct Idle : kit::Owner<int> {
            Idle() : Owner(trace::CoKind::task, trace::Backend::asm_, kit::Stack(kit::kDefaultStackSize), "idle") {}
        } const idle;
        const auto file =
            std::filesystem::temp_directory_path() / ("fiberscope-late-" + std::to_string(::getpid()) + ".json");
        std::string told = "began";
        try {
            kit::start_trace(file, {});
        } catch (const std::logic_error&) {
            told = "refused";
        }
        if (trace::recording()) told += ", but records";
        if (std::filesystem::remove(file)) told += ", but left a file";
        return told;
    };
    CHECK(kit::answered_by_child(begin_late, "refused"));
}

TEST_CASE("a trace that cannot start leaves the clock unchanged") {
    const auto file = std::filesystem::temp_directory_path() / ("fiberscope-open-" + std::to_string(::getpid()));
    const auto refused = [](const std::filesystem::path& where) {
        trace::Meta meta;
        meta.clock = "virtual";
        try {
            kit::start_trace(where, meta);
        } catch (const std::exception&) {
            return true;
        }
        return false;
    };
    INFO("choose the clock of a trace when the trace is open: until then the program continues with its own");
    CHECK(kit::answered_by_child(
        [&]() -> std::string {
            kit::choose_clock(kit::ClockKind::monotonic);
            if (!refused("/dev/null/trace.json")) return "not refused";
            return kit::clock_kind() == kit::ClockKind::monotonic ? "monotonic" : "virtual";
        },
        "monotonic"));
    CHECK(kit::answered_by_child(
        [&]() -> std::string {
            if (refused(file)) return "cannot begin";
            kit::work(5'000);
            const std::uint64_t before = kit::now();
            const bool second = refused(file);
            const bool goes_on = kit::now() >= before;
            kit::end_trace();
            std::filesystem::remove(file);
            return second && goes_on ? "continues" : "has gone back";
        },
        "continues"));
}
