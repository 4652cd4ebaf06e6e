#include <stdexcept>

#include "labs/04_scheduler/beyond/stackless/async.h"
#include "labs/04_scheduler/programs/demos.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/run/trace.h"

namespace fiberscope::lab04 {

namespace {

using stackless::Async;

/// Records the destruction of its frame.
struct Guest {
    int room;
    ~Guest() { kit::note("leaves room {0}", room); }
};

Async<int> visit(int room) {
    const Guest guest{room};
    kit::work(3000);
    co_await stackless::yield();
    if (room == 2) throw std::runtime_error("this room is closed");
    co_await stackless::sleep_for(5000);
    co_return room * 10;
}

Async<void> tour(int rooms) {
    int found = 0;
    for (int room = rooms; room > 0; --room) {
        try {
            found += co_await visit(room);
        } catch (const std::runtime_error& closed) {
            kit::note(closed.what());
        }
    }
    kit::note("has found {0}", found);
}

/// A plain function: its frame is on the machine's stack.
void yields_below() { yield(); }

Async<void> calls_plain() {
    co_await stackless::yield();
    try {
        yields_below();
    } catch (const kit::Misuse& refused) {
        kit::note(refused.message());
    }
}

Async<void> waits_for(Handle other) {
    co_await stackless::join(other);
    kit::note("{0} has ended", other.name());
}

void native_tour() {
    for (int room = 3; room > 0; --room) {
        const Guest guest{room};
        kit::work(3000);
        yield();
    }
}

void stackless_tour(const kit::DemoOptions& options) {
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    go(
        [] {
            const Handle a = stackless::go(tour(3), {.name = "a"});
            stackless::go(tour(3), {.name = "b"});
            go(native_tour, "native");
            stackless::go(calls_plain(), {.name = "calls a plain one"});
            stackless::go(waits_for(a), {.name = "waits"});
        },
        "root");
    static_cast<void>(scheduler.run());
}

constexpr kit::CodeRow kCode[] = {{"program", "", "4.18", "beyond/stackless/exercise/stackless.cpp"}};
const kit::KnownCode code("04_scheduler", kCode, {.only = "stackless"});
const kit::MoreDemos known({
    {"stackless", "C++20 coroutines alongside a native one on two machines: frames in the heap, and no stack",
     stackless_tour, kGoNames, kGo, kOfGo},
});

}  // namespace

}  // namespace fiberscope::lab04
