// The demo of steps 4.13 and 4.14: a pipeline of channels, and a select at its end.
#include "labs/04_scheduler/programs/demos.h"

#include <atomic>
#include <optional>
#include <string>

#include "labs/04_scheduler/beyond/channels/select.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

using kit::kMicrosecond;

namespace {

/// Sends one value after some time, as Go's time.After.
void go_after(Channel<int>& channel, std::uint64_t ns) {
    go(
        [&channel, ns] {
            sleep_for(ns);
            static_cast<void>(channel.send(0));
        },
        "after " + std::to_string(ns / kMicrosecond) + " µs");
}

void go_source(Channel<int>& jobs) {
    go(
        [&jobs] {
            for (int job = 1; job <= 8; ++job) {
                if (job == 6) sleep_for(45 * kMicrosecond);
                kit::work(kMicrosecond);
                static_cast<void>(jobs.send(job));
            }
            jobs.close();
        },
        "source");
}

/// The last of `left` workers to end closes the results.
void go_channel_worker(const std::string& name, Channel<int>& jobs, Channel<int>& results, std::atomic<int>& left) {
    go(
        [&] {
            while (const auto job = jobs.receive()) {
                kit::work((4 + 3 * static_cast<std::uint64_t>(*job % 3)) * kMicrosecond);
                static_cast<void>(results.send(*job * *job));
            }
            if (--left == 0) results.close();
        },
        name);
}

/// Takes results until a timeout.
void go_collector(Channel<int>& results, Channel<int>& patience) {
    go(
        [&] {
            for (;;) {
                std::optional<int> result, over;
                const Selected done = select(from(results, result), from(patience, over));
                if (done.outcome == Outcome::closed) return kit::note("no more results");
                if (done.index == 0)
                    kit::note("has the result {0}", *result);
                else
                    kit::note("has waited long enough");
                kit::work(2 * kMicrosecond);
                std::optional<int> more;
                while (select_or_default(from(results, more)).outcome == Outcome::done)
                    kit::note("and at once {0}", *more);
            }
        },
        "collector");
}

void channels(const kit::DemoOptions& options) {
    // With a buffer, as the channel of Go's time.After: the collector may have returned before a value is sent.
    Channel<int> jobs("jobs", 2), results("results"), patience("patience", 2);
    std::atomic<int> left{2};
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    go_collector(results, patience);
    for (const char* name : {"worker 1", "worker 2"}) go_channel_worker(name, jobs, results, left);
    go_source(jobs);
    for (const unsigned us : {50U, 70U}) go_after(patience, us * kMicrosecond);
    static_cast<void>(scheduler.run());
}

const kit::MoreDemos known({
    {"channels", "a pipeline of channels, and a select of results and a time-out", channels, nullptr, kStrategies,
     kAll},
});

}  // namespace

}  // namespace fiberscope::lab04
