// Demos of lab 06, with timers in any store. Each writes a trace.
#include "labs/kit/demo/demo.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/io.h"
#include "labs/06_timers/condition.h"
#include "labs/06_timers/idle.h"
#include "labs/06_timers/loop.h"
#include "labs/06_timers/wheel_store.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/numbered.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using kit::DemoOptions;

namespace {

constexpr std::uint64_t kMicrosecond = 1'000;
using kit::kMillisecond;
using kit::kSecond;

void run_all(lab04::Scheduler& sched) {
    const auto failures = sched.run();
    if (!failures.empty())
        throw Spoken<std::runtime_error>(
            message("task '{0}' ended by: {1}", failures.front().task, Value::of(failures.front().message)));
}

/// A store, its manager, and a scheduler that serves them. The scheduler is destroyed first.
struct Stage {
    explicit Stage(std::unique_ptr<TimerStore> chosen) : store(std::move(chosen)) {}
    explicit Stage(const DemoOptions& options) : Stage(make_store(options.strategy)) {}

    std::unique_ptr<TimerStore> store;
    TimerManager manager{*store};
    TimerService service{manager};
    TimedSource source;
    lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};

    void run() { run_all(sched); }
};

using kit::note;

// ---- sleep_sort -----------------------------------------------------------------------------------------------------

void sleep_sort(const DemoOptions& options) {
    std::mt19937_64 random(options.seed);
    std::vector<std::uint64_t> numbers;
    for (int i = 0; i < 12; ++i) numbers.push_back(random() % 40 + 1);
    Stage stage(options);
    std::string sorted;
    for (const std::uint64_t number : numbers)
        lab04::go(
            [&, number] {
                stage.service.sleep_for(number * kMillisecond);
                sorted += " " + std::to_string(number);
            },
            std::to_string(number));
    stage.run();
    note("sorted:{0}", sorted);
}

// ---- three_stores ---------------------------------------------------------------------------------------------------

constexpr std::uint64_t kIdleLimit = 40 * kMillisecond;

/// A connection that is dropped after a period of silence, which each message restarts.
void serve_connection(Stage& stage, int number, std::mt19937_64 random) {
    bool open = true;
    const AlarmHandle idle = stage.manager.add(kIdleLimit, [&open, number] {
        note("connection {0} was idle for too long", number);
        open = false;
    });
    for (int messages = 4; messages > 0; --messages) {
        stage.service.sleep_for((random() % 45 + 5) * kMillisecond);
        if (!open) return;
        kit::work(random() % 800 * kMicrosecond);
        stage.manager.refresh(idle);
    }
    stage.manager.cancel(idle);
}

void three_stores(const DemoOptions& options) {
    std::mt19937_64 random(options.seed);
    Stage stage(options);
    std::vector<lab04::Handle> connections;
    for (int i = 1; i <= 6; ++i)
        connections.push_back(
            lab04::go([&stage, i, seed = random()] { serve_connection(stage, i, std::mt19937_64(seed)); },
                      "connection " + std::to_string(i)));
    lab04::go(
        [&] {
            const AlarmHandle beat = stage.manager.add(
                30 * kMillisecond, [] { note("still alive"); }, Repeat::for_ever);
            for (const lab04::Handle& connection : connections) lab04::join(connection);
            stage.manager.cancel(beat);
        },
        "heartbeat");
    stage.run();
}

// ---- recurring ------------------------------------------------------------------------------------------------------

void recurring(const DemoOptions& options) {
    Stage stage(options);
    const AlarmHandle fast = stage.manager.add(
        10 * kMillisecond, [] { kit::work(kMillisecond); }, Repeat::for_ever);
    const AlarmHandle slow = stage.manager.add(
        45 * kMillisecond,
        [] {
            note("works for 25 ms: the beats of 10 ms that pass meanwhile are missed");
            kit::work(25 * kMillisecond);
        },
        Repeat::for_ever);
    lab04::go(
        [&] {
            const auto guest = std::make_shared<int>(1);
            stage.manager.add_condition(
                60 * kMillisecond, [] { note("never said: the guest has gone"); }, guest);
            const AlarmHandle patience = stage.manager.add(80 * kMillisecond, [] { note("out of patience"); });
            lab04::sleep_for(30 * kMillisecond);
            stage.manager.refresh(patience);
        },
        "guest");
    lab04::go(
        [&] {
            lab04::sleep_for(115 * kMillisecond);
            stage.manager.reset(fast, 20 * kMillisecond, From::now);
            lab04::sleep_for(45 * kMillisecond);
            stage.manager.cancel(fast);
            stage.manager.cancel(slow);
        },
        "conductor");
    stage.run();
}

// ---- producer_consumer ----------------------------------------------------------------------------------------------

/// As in libco's example: the producer puts something in and signals, then sleeps; the consumer takes everything, then
/// waits, here with a limit.
void producer_consumer(const DemoOptions& options) {
    constexpr int kItems = 6;
    Stage stage(options);
    Condition something(stage.manager, "something in the basket");
    std::deque<int> basket;
    lab04::go(
        [&] {
            int taken = 0;
            while (taken < kItems) {
                while (basket.empty())
                    if (something.wait(15 * kMillisecond) == lab04::Wake::timeout) note("nothing yet");
                note("takes {0}", basket.front());
                basket.pop_front();
                ++taken;
                kit::work(2 * kMillisecond);
            }
        },
        "consumer");
    lab04::go(
        [&] {
            for (int i = 1; i <= kItems; ++i) {
                basket.push_back(i);
                note("puts {0}", i);
                something.signal();
                stage.service.sleep_for((i % 3 == 0 ? 40 : 10) * kMillisecond);
            }
        },
        "producer");
    stage.run();
}

// ---- beyond_the_wheel -----------------------------------------------------------------------------------------------

/// libco's AddTimeout: timers beyond the wheel are put into the last slot.
class ClampedWheel : public WheelStore {
    void insert(Timer& timer) override {
        timer.deadline = std::min(timer.deadline, (hand_ + kSlots - 1) * kTick);
        WheelStore::insert(timer);
    }
};

void beyond_the_wheel(const DemoOptions& options) {
    const bool clamped = options.strategy == "clamped";
    Stage stage(clamped ? std::make_unique<ClampedWheel>() : make_store("wheel"));
    for (const std::uint64_t s : {30U, 90U, 150U})
        lab04::go(
            [&stage, s] {
                const std::uint64_t began = kit::now();
                stage.service.sleep_for(s * kSecond);
                const std::uint64_t slept = (kit::now() - began) / kSecond;
                note("{0} s were asked for, it was {1}", s, slept);
            },
            std::to_string(s) + " s");
    stage.run();
}

// ---- idle_timeouts --------------------------------------------------------------------------------------------------

/// Both ends of a connection, with the same descriptor numbers in every run: 100 and 101, then 102 and 103, and so on,
/// if available.
struct Ends {
    int client, server;
};
Ends connected() {
    int made[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, made) != 0)
        throw std::system_error(errno, std::generic_category(), "cannot create a pair of sockets");
    const int client = kit::numbered_from(100, made[0]);
    return {client, kit::numbered_from(100, made[1])};
}

/// The behaviour of a client: a number of messages, each after a pause.
struct Habit {
    const char* name;
    int messages;
    std::uint64_t pause;  ///< ns
    bool stays = false;   ///< then stays connected and silent
};

void live(int fd, const Habit& habit) {
    char answer[8];
    for (int i = 0; i < habit.messages; ++i) {
        lab04::sleep_for(habit.pause);
        if (lab05::io::send(fd, "hello", 5, 0) != 5 || lab05::io::recv(fd, answer, 5, MSG_WAITALL) != 5) {
            note("{0}: the server has gone", habit.name);
            break;
        }
    }
    if (habit.stays && lab05::io::recv(fd, answer, 1, 0) == 0) note("{0}: dropped", habit.name);
    lab05::io::close(fd);
}

void idle_timeouts(const DemoOptions& options) {
    static constexpr Habit kClients[] = {{"talks", 6, 15 * kMillisecond},
                                         {"is slow", 3, 38 * kMillisecond},
                                         {"falls silent", 2, 12 * kMillisecond, true},
                                         {"says nothing", 0, 0, true},
                                         {"is too slow", 3, 55 * kMillisecond}};
    const std::unique_ptr<TimerStore> store = make_store(options.strategy);
    TimerManager manager(*store);
    TimerService service(manager);
    lab05::EpollSource source;
    lab04::Scheduler sched(lab04::Settings{.strategy = "producer_consumer", .source = &source});
    IdleServer server(manager, kIdleLimit);
    server.set_work(kMillisecond);
    for (const Habit& habit : kClients) {
        const Ends ends = connected();
        server.begin(ends.server, std::string("server of \"") + habit.name + "\"");
        lab04::go([fd = ends.client, &habit] { live(fd, habit); }, habit.name);
    }
    run_all(sched);
    note("{0} of {1} connections were dropped", server.figures().dropped, server.figures().accepted);
}

constexpr const char* kStores[] = {"tree", "heap", "wheel", "levels"};
constexpr const char* kHeap[] = {"heap"};
constexpr const char* kWheel[] = {"wheel"};
constexpr const char* kWheelFirst[] = {"wheel", "heap", "tree", "levels"};
constexpr const char* kTurns[] = {"turns", "clamped"};
constexpr const char* kClamped[] = {"clamped"};

constexpr kit::Demo kDemos[] = {
    {"sleep_sort",
     "each number sleeps for a time equal to its value (--strategy tree|heap|wheel|levels|all)",
     sleep_sort,
     nullptr,
     kStores,
     {true}},
    {"three_stores",
     "connections with idle limits and a heartbeat, with timers in a tree (--strategy, --seed N)",
     three_stores,
     nullptr,
     kStores,
     {true}},
    {"three_stores_heap", "the same with a heap", three_stores, nullptr, kHeap, {true}},
    {"three_stores_wheel", "the same with a wheel", three_stores, nullptr, kWheel, {true}},
    {"recurring", "recurring timers, a slow one, a refresh and a condition timer", recurring, nullptr, kHeap},
    {"producer_consumer", "libco's example: a condition variable, with limits", producer_consumer, nullptr, kWheel},
    {"beyond_the_wheel",
     "sleeps longer than a turn of the wheel",
     beyond_the_wheel,
     nullptr,
     kTurns,
     {},
     false,
     kit::kVirtualOnly},
    {"beyond_the_wheel_clamped",
     "the same as in early libco: sleeps beyond a turn end too early",
     beyond_the_wheel,
     nullptr,
     kClamped,
     {},
     false,
     kit::kVirtualOnly},
    {"idle_timeouts", "an echo server that drops clients silent for 40 ms (--strategy wheel|heap|tree|levels|all)",
     idle_timeouts, nullptr, kWheelFirst},
};

}  // namespace

int main(int argc, char** argv) { return kit::demo_main(argc, argv, kDemos); }
