// Step 6.4: time as a descriptor.
#include "labs/06_timers/descriptor.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "labs/04_scheduler/tests/running.h"
#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/io.h"
#include "labs/06_timers/heap_store.h"
#include "labs/06_timers/tests/support.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;

namespace {

constexpr int kPatience = 2'000;  // ms: the delay of an immediate event on a busy computer

struct Desk {
    HeapStore store;
    TimerDescriptor descriptor{store};
    Numbered a{0}, b{1}, c{2};
    std::vector<Timer*> out;

    Numbers take() {
        out.clear();
        descriptor.take_expired(out);
        return Stand<HeapStore>::numbers_of(out);
    }
};

/// A TimerDescriptor served by tasks of a scheduler on lab 05's epoll.
struct Served : Desk, lab04::testing::Runs<Served> {
    lab05::EpollSource source;
    lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};
};

/// An epoll that watches some descriptors for reading.
class Epoll {
  public:
    Epoll() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
        INFO("the system gives the test no epoll; your code is not at fault");
        REQUIRE(epoll_ >= 0);
    }
    ~Epoll() { close(epoll_); }
    void watch(int fd) {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.fd = fd;
        INFO("a timerfd is a descriptor that epoll can watch");
        REQUIRE(epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0);
    }
    /// Returns the first descriptor that is readable within `ms`, or -1.
    int wait(int ms) {
        epoll_event event{};
        return epoll_wait(epoll_, &event, 1, ms) == 1 ? event.data.fd : -1;
    }

  private:
    int epoll_;
};

}  // namespace

TEST_CASE("6.4 the descriptor is set only when another timer becomes the first") {
    Desk desk;
    desk.descriptor.run_at(desk.a, 20 * kMillisecond);
    {
        INFO("first add the timer to the store, then set the descriptor for the first deadline there");
        REQUIRE(desk.descriptor.times_set() == 1);
    }
    INFO("a later deadline costs no system call, an earlier one costs one");
    CHECK(desk.descriptor.times_set() == 1);
    CHECK(desk.descriptor.set_for() == 20 * kMillisecond);
    desk.descriptor.run_at(desk.b, 30 * kMillisecond);
    CHECK(desk.descriptor.times_set() == 1);
    kit::work(5 * kMillisecond);
    desk.descriptor.run_after(desk.c, 5 * kMillisecond);
    CHECK(desk.descriptor.times_set() == 2);
    CHECK(desk.descriptor.set_for() == 10 * kMillisecond);
    INFO("cancel makes no system call; at worst a task is woken for nothing");
    CHECK(desk.descriptor.cancel(desk.c));
    CHECK_FALSE(desk.descriptor.cancel(desk.c));
    CHECK(desk.descriptor.times_set() == 2);
}

TEST_CASE("6.4 a timer that is due together with the first sets nothing") {
    Desk desk;
    desk.descriptor.run_at(desk.a, 20 * kMillisecond);
    desk.descriptor.run_at(desk.b, 20 * kMillisecond);
    INFO("only an earlier deadline costs a system call: the descriptor is already set for an equal one");
    CHECK(desk.descriptor.times_set() == 1);
}

TEST_CASE("6.4 the timerfd is set for the deadline in the store, even if that is rounded up") {
    TickStore store;
    TimerDescriptor descriptor(store);
    Numbered timer(0);
    descriptor.run_at(timer, 10 * kMillisecond + 500 * kMicrosecond);
    INFO(
        "use the first deadline of the store: shortly before it nothing has expired, and the loop is woken in "
        "vain");
    CHECK(descriptor.set_for() == 11 * kMillisecond);
    store.cancel(timer);
}

TEST_CASE("6.4 a delay starts now, even while another timer is overdue") {
    Desk desk;
    desk.descriptor.run_at(desk.a, 5 * kMillisecond);
    kit::work(20 * kMillisecond);
    desk.descriptor.run_after(desk.b, 10 * kMillisecond);
    INFO("run_after reads the clock: neither the last check nor the first deadline is now");
    CHECK(desk.b.deadline >= 30 * kMillisecond);
    CHECK(desk.take() == Numbers{0});
}

TEST_CASE("6.4 no deadline sets nothing") {
    kit::work(kMillisecond);
    Desk desk;
    desk.descriptor.run_after(desk.a, kNever - 5);
    desk.descriptor.run_at(desk.b, kNever);
    INFO("a deadline that never comes sets nothing, but the timer is in the store");
    CHECK(desk.store.size() == 2);
    {
        INFO("now + ns may overflow: the deadline is then kNever");
        CHECK(desk.a.deadline == kNever);
    }
    CHECK(desk.descriptor.times_set() == 0);
    CHECK(desk.take().empty());
    CHECK(desk.descriptor.set_for() == kNever);
}

TEST_CASE("6.4 the timerfd is readable when the first timer has expired, not before, and is then set for the next") {
    record_nothing(kRealTime);
    Desk desk;
    Epoll epoll;
    epoll.watch(desk.descriptor.fd());
    desk.descriptor.run_after(desk.a, 2 * kMillisecond);
    desk.descriptor.run_after(desk.b, 100 * kSecond);
    const std::uint64_t deadline = desk.a.deadline;
    Numbers taken;
    for (int i = 0; i < 5 && taken.empty() && epoll.wait(kPatience) >= 0; ++i) taken = desk.take();
    const bool early = kit::now() < deadline;
    INFO("when the descriptor is readable, take_expired reads it and appends the due timers");
    CHECK(taken == Numbers{0});
    CHECK_FALSE(early);
    INFO("it becomes readable once; for b it must be set again");
    CHECK(desk.descriptor.set_for() == desk.b.deadline);
    desk.descriptor.cancel(desk.b);
    desk.descriptor.run_after(desk.c, kMillisecond);
    for (int i = 0; i < 5 && !desk.store.empty() && epoll.wait(kPatience) >= 0; ++i) desk.take();
    CHECK(desk.store.empty());
    INFO("no timer is left, and nothing is set: it must not become readable again");
    CHECK(desk.descriptor.set_for() == kNever);
    CHECK(epoll.wait(0) == -1);
}

TEST_CASE("6.4 the timerfd works in an epoll with other descriptors") {
    record_nothing(kRealTime);
    Desk desk;
    Epoll epoll;
    const int other = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll.watch(desk.descriptor.fd());
    epoll.watch(other);
    desk.descriptor.run_after(desk.a, 100 * kSecond);
    eventfd_write(other, 1);
    INFO("epoll reports exactly the descriptor that is readable");
    CHECK(epoll.wait(kPatience) == other);
    eventfd_t value = 0;
    eventfd_read(other, &value);
    desk.descriptor.run_after(desk.b, kMillisecond);
    CHECK(epoll.wait(kPatience) == desk.descriptor.fd());
    close(other);
}

TEST_CASE("6.4 in a scheduler on lab 05's epoll the timerfd is one more descriptor next to the sockets") {
    INFO("serve_descriptor waits for the timerfd like for any descriptor, so that other tasks run");
    record_nothing(kRealTime);
    Served desk;
    int pair[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0);
    int asked = 0, early = 0, left = 2;
    std::string heard;
    lab04::go([&] {
        serve_descriptor(
            desk.descriptor,
            [&](Timer& timer) {
                early += kit::now() < timer.deadline ? 1 : 0;
                --left;
                lab05::io::send(pair[0], &timer == &desk.a ? "a" : "b", 1, 0);
            },
            [&] { return ++asked > 0 && left > 0; });
        lab05::io::close(pair[0]);
    });
    lab04::go([&] {
        char byte;
        while (lab05::io::recv(pair[1], &byte, 1, 0) == 1) heard += byte;
        lab05::io::close(pair[1]);
    });
    lab04::go([&] {
        desk.descriptor.run_after(desk.b, 40 * kMillisecond);
        desk.descriptor.run_after(desk.a, 20 * kMillisecond);
    });
    CHECK(desk.run() == "");
    INFO("a socket is read by one task while the descriptor wakes another");
    INFO("take_expired appends: clear the list before each call, or the previous timers are passed on again");
    CHECK(heard == "ab");
    CHECK(early == 0);
    INFO("called once at the beginning, and once each time the descriptor was readable");
    CHECK(asked <= 5);
}

TEST_CASE("6.4 wake() wakes at once, and the timers are not forgotten") {
    record_nothing(kRealTime);
    Desk desk;
    Epoll epoll;
    epoll.watch(desk.descriptor.fd());
    desk.descriptor.run_after(desk.a, 100 * kSecond);
    desk.descriptor.wake();
    {
        INFO("a wake-up is not a deadline: set_for_ is then 0, before every possible deadline");
        CHECK(desk.descriptor.set_for() == 0);
    }
    EXPECTS("while a wake-up is pending, a timer must not set the descriptor to a later time");
    desk.descriptor.run_after(desk.b, 50 * kSecond);
    CHECK(epoll.wait(kPatience) == desk.descriptor.fd());
    CHECK(desk.take().empty());
    CHECK(desk.descriptor.set_for() == desk.b.deadline);
    CHECK(epoll.wait(0) == -1);
    desk.descriptor.run_after(desk.c, 0);
    CHECK(epoll.wait(kPatience) == desk.descriptor.fd());
    CHECK(desk.take() == Numbers{2});
}

TEST_CASE("6.4 a check before the time takes nothing and leaves the descriptor unchanged") {
    record_nothing(kRealTime);
    Desk desk;
    desk.descriptor.run_after(desk.a, 100 * kSecond);
    INFO("nothing has expired: nothing is taken, and no system call is made");
    CHECK(desk.take().empty());
    CHECK(desk.descriptor.times_set() == 1);
    CHECK(desk.descriptor.set_for() == desk.a.deadline);
}

TEST_CASE("6.4 a task that has nothing to serve does not wait first") {
    INFO("serve_descriptor returns as soon as more() returns false");
    record_nothing(kRealTime);
    Served desk;
    bool over = false, in_time = false;
    int asked = 0;
    lab04::go([&] {
        serve_descriptor(
            desk.descriptor, [](Timer&) {}, [&] { return ++asked < 1; });
        over = true;
    });
    lab04::go([&] {
        lab04::sleep_for(5 * kMillisecond);
        in_time = over;
        desk.descriptor.wake();
    });
    CHECK(desk.run() == "");
    INFO("call more() before each wait, including the first");
    CHECK(asked == 1);
    CHECK(in_time);
}

TEST_CASE("6.4 all timers taken out are called, even if the service ends") {
    INFO("both were due together and have left the store: call more() before a wait, not between two callbacks");
    record_nothing(kRealTime);
    Served desk;
    int called = 0;
    lab04::go([&] {
        const std::uint64_t soon = kit::now() + kMillisecond;
        desk.descriptor.run_at(desk.a, soon);
        desk.descriptor.run_at(desk.b, soon);
        serve_descriptor(
            desk.descriptor, [&](Timer&) { ++called; }, [&] { return called == 0; });
    });
    CHECK(desk.run() == "");
    CHECK(called == 2);
}

TEST_CASE("6.4 the serving task continues when its wait is cancelled") {
    record_nothing(kRealTime);
    Served desk;
    int called = 0;
    bool waited = false;
    const lab04::Handle serves = lab04::go([&] {
        serve_descriptor(
            desk.descriptor, [&](Timer&) { ++called; }, [&] { return called == 0; });
    });
    lab04::go([&] {
        lab04::yield();
        waited = lab04::cancel(serves);
        lab04::yield();
        desk.descriptor.run_after(desk.a, kMillisecond);
    });
    INFO("only more() ends the service: after a cancelled wait, call more() again");
    CHECK(desk.run() == "");
    CHECK(waited);
    CHECK(called == 1);
}

TEST_CASE("6.4 expired timers are appended to those that the caller already has") {
    Desk desk;
    desk.descriptor.run_at(desk.a, kMillisecond);
    desk.descriptor.run_at(desk.b, 2 * kMillisecond);
    kit::work(kMillisecond);
    desk.descriptor.take_expired(desk.out);
    {
        INFO(
            "take the expired timers even if drain() returns false, which only means that the descriptor is still set");
        CHECK(desk.out.size() == 1);
    }
    kit::work(kMillisecond);
    desk.descriptor.take_expired(desk.out);
    INFO("take_expired appends: its caller may call it twice before handling the timers");
    CHECK(Stand<HeapStore>::numbers_of(desk.out) == Numbers{0, 1});
}
