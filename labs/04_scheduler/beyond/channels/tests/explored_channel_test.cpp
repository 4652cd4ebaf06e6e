#include "labs/04_scheduler/beyond/channels/select.h"
#include "labs/04_scheduler/tests/explored.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// Tasks pinned to one of netco's two processors, and channels between them.
class Harbour {
  public:
    Handle on(int machine, const char* name, Body body) {
        return sched.go(std::move(body), named(name), TaskOptions{.pinned = machine});
    }
    void run() {
        const std::vector<Failure> failures = sched.run();
        if (!failures.empty()) throw std::runtime_error(failures.front().what);
    }
    /// A task that selects from both channels.
    Handle selects(int machine, const char* name, int& got) {
        return on(machine, name, [this, &got] {
            std::optional<int> one, two;
            const Selected done = lab04::select(from(a, one), from(b, two));
            require(done.outcome == Outcome::done, "a select reports an operation that was not done");
            got = one ? *one : *two;
        });
    }

    Scheduler sched{Settings{.strategy = "netco", .machines = 2}};
    Channel<int> a{"a"}, b{"b"};
};

}  // namespace

TEST_CASE("4.13 explored: a sender, a receiver that is cancelled, and close") {
    check_all_orders([] {
        Harbour harbour;
        bool sent = false, refused = false;
        int received = -1;
        const Handle receiver = harbour.on(0, "receiver", [&] {
            const auto value = harbour.a.receive();
            require(value.outcome != Outcome::closed, "a receiver got closed before the channel was closed");
            received = value.value_or(-1);
        });
        harbour.on(1, "sender", [&] {
            try {
                sent = harbour.a.send(7) == Outcome::done;
            } catch (const ClosedChannel&) {
                refused = true;
            }
        });
        harbour.on(1, "canceller", [receiver] { cancel(receiver); });
        harbour.on(0, "closer", [&] {
            join(receiver);
            harbour.a.close();
        });
        harbour.run();
        require(sent != refused, "a send must be either done or refused");
        require(sent == (received == 7), "the value was sent, but not received, or the other way round");
    });
}

TEST_CASE("4.14 explored: a select that sends meets one that receives, each with the channels in another order") {
    check_all_orders([] {
        Harbour harbour;
        int got = 0, sent = -1;
        harbour.selects(0, "receives", got);
        harbour.on(1, "sends", [&] {
            const Selected done = lab04::select(to(harbour.b, 2), to(harbour.a, 1));
            require(done.outcome == Outcome::done, "a select reports an operation that was not done");
            sent = done.index == 0 ? 2 : 1;
        });
        harbour.run();
        require(got == sent, "the value that was sent is not the value that was received");
    });
}
