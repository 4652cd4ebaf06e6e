// Steps 4.13 and 4.14 on several machines, with a small loop of the tests, so that no strategy for several is needed.
#include <atomic>
#include <map>
#include <random>

#include "labs/04_scheduler/beyond/channels/select.h"
#include "labs/04_scheduler/tests/strategies/small_machines.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/usual_turns.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// Tasks that send numbers through two channels, tasks that receive them, and their counts.
class Market {
  public:
    explicit Market(bool selects) : selects_(selects) {}

    void run(unsigned machines) {
        Scheduler sched(Settings{.machines = machines});
        std::vector<Handle> all;
        for (unsigned i = 0; i < kSenders; ++i) all.push_back(sched.go([this, i] { send_all(i); }));
        for (unsigned i = 0; i < kReceivers; ++i) all.push_back(sched.go([this, i] { receive_all(i); }));
        sched.go([&all] { nudge(all); });
        run_on_machines(sched);
    }
    void check() const {
        CHECK(sent_ == received_);
        CHECK(sent_times_ == received_times_);
        CHECK(sent_times_ + cancelled_ == kSenders * kTimes);
        CHECK(disorder_ == 0);
    }

  private:
    static constexpr unsigned kSenders = 4, kReceivers = 4;
    static constexpr std::uint64_t kTimes = 200;

    /// Wakes and cancels them for no reason.
    static void nudge(const std::vector<Handle>& all) {
        std::minstd_rand random(5);
        for (int i = 0; i < 400; ++i) {
            const Handle& one = all[random() % all.size()];
            if (random() % 8 == 0)
                cancel(one);
            else
                wake(one);
            yield();
        }
    }

    Channel<std::uint64_t>& channel(std::uint64_t n) { return n % 2 == 0 ? direct_ : buffered_; }

    void send_all(unsigned who) {
        for (std::uint64_t n = 0; n < kTimes; ++n) {
            const std::uint64_t value = who * kTimes + n;
            Outcome how = Outcome::done;
            if (selects_ && n % 3 == 0)
                how = lab04::select(to(buffered_, value), to(direct_, value)).outcome;
            else
                how = channel(who).send(value);
            if (how != Outcome::done) {
                ++cancelled_;
                continue;
            }
            sent_ += value;
            ++sent_times_;
            kit::work(100);
        }
        if (++ended_ < kSenders) return;
        direct_.close();
        buffered_.close();
    }

    void receive_all(unsigned who) {
        std::array<std::uint64_t, kSenders> last{};
        for (bool open[2] = {true, true}; open[0] || open[1];) {
            std::optional<std::uint64_t> value, other;
            Selected done;
            if (selects_ && open[0] && open[1]) {
                done = lab04::select(from(direct_, value), from(buffered_, other));
            } else {
                done.index = selects_ ? (open[0] ? 0 : 1) : static_cast<int>(who % 2);
                auto received = channel(static_cast<std::uint64_t>(done.index)).receive();
                (done.index == 0 ? value : other) = received;
                done.outcome = received.outcome;
            }
            if (done.outcome == Outcome::closed) {
                open[done.index] = false;
                if (!selects_) return;
            }
            if (done.outcome == Outcome::done) take(value ? *value : *other, last);
        }
    }

    void take(std::uint64_t value, std::array<std::uint64_t, kSenders>& last) {
        received_ += value;
        ++received_times_;
        std::uint64_t& before = last.at(value / kTimes);
        if (!selects_ && value < before) ++disorder_;
        before = value;
        kit::work(100);
    }

    const bool selects_;
    Channel<std::uint64_t> direct_{"direct"}, buffered_{"buffered", 2};
    std::atomic<std::uint64_t> sent_{0}, received_{0}, sent_times_{0}, received_times_{0}, cancelled_{0}, disorder_{0};
    std::atomic<unsigned> ended_{0};
};

void check_on_machines(bool selects) {
    const trace::Trace recorded = trace_of("market", [selects] {
        Market market(selects);
        market.run(3);
    });
    CHECK(recorded.machines() == 3);
    CHECK(count(recorded, trace::Kind::insert, "buffer of 'buffered'") > 100);
    Market again(selects);
    use_virtual_time();
    again.run(3);
    again.check();
}

void check_on_threads(bool selects) {
    kit::end_trace();
    kit::choose_clock(kit::ClockKind::monotonic);
    for (const unsigned machines : {2U, 4U}) {
        Market market(selects);
        market.run(machines);
        market.check();
    }
}

/// Logs which locks of channels are acquired and released. It learns the names of channels created after it.
struct WatchesLocks : kit::testing::OwnLocks {
    void name(const void* object, std::string_view name) override {
        if (name.find("channel") != name.npos) names[object] = name;
    }
    void took(const void* lock, unsigned machine) override {
        OwnLocks::took(lock, machine);
        write("takes ", lock);
    }
    void released(const void* lock, unsigned machine) override {
        OwnLocks::released(lock, machine);
        write("releases ", lock);
    }
    void write(const char* what, const void* lock) {
        if (names.contains(lock)) log.push_back(what + english_of(names.at(lock)));
    }
    std::map<const void*, std::string> names;
    Log log;
};

}  // namespace

TEST_CASE("4.13 on several machines each value arrives once and in order, and the trace keeps every rule") {
    INFO("with spurious wake-ups and cancels: senders_, receivers_ and the buffer are accessed under lock_ only");
    check_on_machines(false);
}

TEST_CASE("4.13 on real threads each value arrives once, in the order of its sender") {
    INFO("what is claimed is completed once, and only what is claimed");
    check_on_threads(false);
}

TEST_CASE("4.14 on several machines selects send and receive each value once, and the trace keeps every rule") {
    INFO("with spurious wake-ups and cancels: a select locks all its channels while it looks or leaves");
    check_on_machines(true);
}

TEST_CASE("4.14 on real threads selects send and receive each value once, and do not deadlock") {
    INFO("lock in the order of the channels' numbers");
    check_on_threads(true);
}

TEST_CASE("4.14 a select acquires and releases the lock of each channel once, in order of the channels' numbers") {
    EXPECTS("lock all, also for a default: by number(), and none twice, as unlock_all releases all locks in channels_");
    WatchesLocks watch;
    std::array<std::optional<Channel<int>>, 2> places;  // the channel created first has the higher address
    Channel<int>& first = places[1].emplace("first");
    Channel<int>& second = places[0].emplace("second");
    Scheduler sched(Settings{.machines = 1});
    sched.go([&] {
        std::optional<int> value;
        static_cast<void>(select_or_default(to(second, 1), from(first, value), from(second, value)));
    });
    run_on_machines(sched);
    const std::string one = "the lock inside the channel 'first'", two = "the lock inside the channel 'second'";
    CHECK(watch.log == Log{"takes " + one, "takes " + two, "releases " + one, "releases " + two});
}
