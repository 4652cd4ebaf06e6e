// Step 5.4: sylar's IO manager on several machines: one poller, and events that any of them may trigger.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>

#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/tests/support/stand.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/testing/held.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// A manager on sylar's scheduler.
struct Machines : Runs<Machines> {
    explicit Machines(unsigned count)
        : sched(lab04::Settings{.strategy = "sylar", .source = &source, .machines = count}) {}
    EpollSource source;
    lab04::Scheduler sched;
    IOManager manager{source};
};

/// A pipe or a pair of sockets: a task writes numbers, and callbacks of the manager read them.
class Conversation {
  public:
    static constexpr int kMessages = 20;

    Conversation(IOManager& manager, bool pipe) : manager_(manager), pair_(pipe ? Pair::pipe() : Pair::sockets()) {
        go([this] { write_all(); }, "writes");
        go([this] { listen(); }, "listens");
    }
    /// Every number arrived once and in order; and no two callbacks ran at once.
    bool well() const { return well_ && came_ == kMessages; }
    int events() const noexcept { return events_; }

  private:
    void write_all() const {
        for (int i = 0; i < kMessages; ++i) {
            kit::work(kMicrosecond);
            static_cast<void>(!system_calls().write(pair_.b, &i, sizeof i));
            if (i % 3 == 0) lab04::yield();
        }
    }
    void listen() {
        if (came_ < kMessages) manager_.add_event(pair_.a, Want::read, [this] { read(); });
    }
    void read() {
        if (inside_.exchange(true)) well_ = false;
        ++events_;
        kit::work(kMicrosecond);
        for (int number; system_calls().read(pair_.a, &number, sizeof number) == static_cast<long>(sizeof number);)
            if (number != came_++) well_ = false;
        inside_ = false;
        listen();
    }

    IOManager& manager_;
    Pair pair_;
    int came_ = 0, events_ = 0;
    std::atomic<bool> inside_{false}, well_{true};
};

/// Many conversations on several machines. Returns the error; empty if there is none.
std::string talk(unsigned machines, unsigned pairs) {
    Machines m(machines);
    std::vector<std::unique_ptr<Conversation>> all;
    for (unsigned i = 0; i < pairs; ++i) all.push_back(std::make_unique<Conversation>(m.manager, i % 2 == 0));
    m.manager.stop();
    std::string wrong = m.run();
    for (unsigned i = 0; i < pairs; ++i)
        if (!all[i]->well()) wrong += "conversation " + std::to_string(i) + " was lost or mixed up\n";
    return m.manager.pending() == 0 ? wrong : wrong + "events are pending\n";
}

}  // namespace

TEST_CASE("5.4 many descriptors on several machines: nothing is lost, and nothing runs twice") {
    for (const bool real : {false, true})
        for (const unsigned machines : {1U, 2U, 3U, 4U}) {
            real ? use_real_time() : use_virtual_time();
            INFO(kit::told(
                message("({0} machines, {1})", machines, real ? mark("real threads") : mark("virtual clock"))));
            CHECK(talk(machines, real ? 40 : 10) == "");
        }
}

TEST_CASE("5.4 the trace of several machines is correct; under the virtual clock it is the same on every run") {
    INFO("the schedule under the virtual clock depends only on the clocks and the seed");
    const trace::Trace real = trace_of("machines_real", [] {
        use_real_time();
        if (!talk(3, 8).empty()) std::abort();
    });
    CHECK(count(real, trace::Kind::switch_) > 0);
    std::vector<std::vector<std::uint64_t>> runs;
    for (int run = 0; run < 2; ++run) {
        const trace::Trace recorded = trace_of("machines_virtual", [] {
            if (!talk(3, 4).empty()) std::abort();
        });
        std::vector<std::uint64_t> events;
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            events.push_back(static_cast<std::uint64_t>(recorded[i].t));
            events.push_back(static_cast<std::uint64_t>(recorded[i].kind));
            events.push_back(recorded[i].co);
        }
        runs.push_back(std::move(events));
    }
    CHECK(runs[0] == runs[1]);
}

TEST_CASE("5.4 an event that another machine triggers before its owner waits is not lost") {
    INFO("an event that occurs before its owner waits is stored: wait_event returns at once");
    Machines m(2);
    const Pair pair = Pair::sockets();
    std::size_t pending = 99;
    Log log;
    lab04::go_on(0, [&] {
        log.emplace_back(m.manager.add_event(pair.a, Want::read) ? "added" : "?");
        kit::work(kMillisecond);  // long enough for the other machine
        pending = m.manager.pending();
        log.emplace_back(m.manager.wait_event(pair.a, Want::read) == Wake::event ? "came" : "?");
        m.manager.stop();
    });
    lab04::go_on(1, [&] {
        kit::work(10 * kMicrosecond);
        pair.write("x");
    });
    CHECK(m.run() == "");
    CHECK(pending == 0);
    CHECK(log == Log{"added", "came"});
}

TEST_CASE("5.4 an event that is cancelled from another machine is triggered once") {
    INFO("triggering removes the event from its context under the lock: the second call finds none");
    for (const bool real : {false, true}) {
        real ? use_real_time() : use_virtual_time();
        Machines m(2);
        std::vector<Pair> pairs;
        for (int i = 0; i < 50; ++i) pairs.push_back(Pair::sockets());
        std::atomic<int> triggered{0}, cancels{0}, woken{0};
        for (const Pair& pair : pairs) {
            lab04::go_on(0, [&, fd = pair.a] {
                m.manager.add_event(fd, Want::read, [&] { ++triggered; });
                m.manager.add_event(fd, Want::write);
                m.manager.wait_event(fd, Want::write);
                ++woken;
            });
            lab04::go_on(1, [&, fd = pair.a] {
                while (!m.manager.cancel_event(fd, Want::read)) lab04::sleep_for(kMicrosecond);
                ++cancels;
                m.manager.cancel_all(fd);  // the other one may have occurred by itself
            });
        }
        m.manager.stop();
        CHECK(m.run() == "");
        CHECK(cancels == 50);
        CHECK(triggered == 50);
        CHECK(woken == 50);
        CHECK(m.manager.pending() == 0);
    }
}

TEST_CASE("5.4 a wait that is cancelled from another machine leaves no event in the manager") {
    INFO("wait_event removes its event if it ends for another reason");
    Machines m(2);
    const Pair pair = Pair::sockets();
    Log log;
    std::size_t pending = 99;
    const Handle waits = lab04::go_on(0, [&] {
        m.manager.add_event(pair.a, Want::read);
        log.emplace_back(m.manager.wait_event(pair.a, Want::read) == Wake::cancelled ? "cancelled" : "?");
        pending = m.manager.pending();
        m.manager.cancel_all(pair.a);
        m.manager.stop();
    });
    lab04::go_on(1, [&] {
        kit::work(kMillisecond);
        lab04::cancel(waits);
    });
    CHECK(m.run() == "");
    CHECK(log == Log{"cancelled"});
    CHECK(pending == 0);
}

TEST_CASE("5.4 functions from other threads run on several machines, each once") {
    INFO("schedule appends the function to a list under its lock, and tickles a machine that waits");
    use_real_time();
    Machines m(3);
    constexpr int kFunctions = 300;
    std::vector<std::atomic<int>> ran(kFunctions);
    std::thread other([&] {
        for (int i = 0; i < kFunctions; ++i) {
            m.manager.schedule([&, i] { ++ran[static_cast<std::size_t>(i)]; });
            // The first must have started before the others are scheduled: only then a list that was not emptied is
            // noticed.
            for (int wait = 0; i == 50 && ran[0] == 0 && wait < 500; ++wait)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        m.manager.stop();
    });
    const std::string failed = m.run();
    other.join();
    CHECK(failed == "");
    int once = 0;
    for (const std::atomic<int>& times : ran) once += times == 1 ? 1 : 0;
    CHECK(once == kFunctions);
}

TEST_CASE("5.4 changes of an event take the scheduler's lock: another machine may be triggering it") {
    INFO("every change of a context happens under the scheduler's lock");
    record_nothing(kRealTime);
    Machines m(2);
    const Pair pair = Pair::pipe();
    const auto waits_for_the_lock = [&](const auto& call) {
        return kit::testing::waits_for(m.sched.shared().lock(), call);
    };
    std::vector<bool> waited;
    go("changes events", [&] {
        for (const Want want : {Want::read, Want::write}) {
            waited.push_back(waits_for_the_lock([&] { m.manager.add_event(pair.a, want, [] {}); }));
            waited.push_back(waits_for_the_lock([&] {
                want == Want::read ? m.manager.delete_event(pair.a, want) : m.manager.cancel_event(pair.a, want);
            }));
        }
        m.manager.stop();
    });
    CHECK(m.run() == "");
    INFO(
        "add_event, delete_event, add_event, cancel_event: each takes the lock (SchedulerLock) before it looks at the "
        "context");
    CHECK(waited == std::vector<bool>{true, true, true, true});
}
