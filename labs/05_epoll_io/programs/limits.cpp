#include "labs/05_epoll_io/programs/limits.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab05::limits {

bool Findings::all_hold() const noexcept {
    return std::all_of(all_.begin(), all_.end(), [](const Finding& one) { return one.holds; });
}

void Findings::print() const {
    for (const Finding& one : all_)
        std::printf("  %s%s\n", one.sentence.c_str(), one.holds ? "" : "   <- does not hold");
}

void Stand::run() {
    const std::vector<lab04::Failure> failures = scheduler_.run();
    if (!failures.empty())
        throw Spoken<std::runtime_error>(
            message("{0}: {1}", failures.front().task, Value::of(failures.front().message)));
}

int turns_beside(const std::function<void()>& body) {
    Stand stand;
    bool over = false;
    int turns = 0;
    go_hooked(
        [&] {
            body();
            over = true;
        },
        "caller");
    lab04::go(
        [&] {
            while (!over) {
                lab04::sleep_for(kMillisecond);
                ++turns;
            }
        },
        "other");
    stand.run();
    return turns - 1;  // it began the first one before it could see the end
}

void run_both(const std::function<void()>& first, const std::function<void()>& second) {
    Stand stand;
    go_hooked(first, "first");
    go_hooked(second, "second");
    stand.run();
}

void after_20_ms(const std::function<void()>& body, const std::function<void()>& meanwhile) {
    std::thread thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        body();
    });
    meanwhile();
    thread.join();
}

Pipe::Pipe() {
    int ends[2];
    if (::pipe(ends) != 0) throw std::system_error(last_error(), std::generic_category(), "a pipe");
    read_end = ends[0];
    write_end = ends[1];
}
Pipe::~Pipe() {
    ::close(read_end);
    ::close(write_end);
}

}  // namespace fiberscope::lab05::limits

using namespace fiberscope;
using namespace fiberscope::lab05;

namespace {

/// Returns whether all findings hold. Repeats a failed demo: on a busy computer the thread may be preempted for as long
/// as the task waits, so that no other task gets a turn.
bool show(const limits::Demo& demo) {
    constexpr int kTries = 5;
    limits::Findings findings;
    for (int tries = 0; tries < kTries; ++tries) {
        findings = {};
        demo.show(findings);
        if (findings.all_hold()) break;
    }
    std::printf("%s: %s\n", demo.name, demo.kind);
    findings.print();
    return findings.all_hold();
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int kLeftOut = 77;
    if (!kHookBuilt) {
        std::puts("left out: this program was built without the hook");
        return kLeftOut;
    }
    kit::choose_clock(kit::ClockKind::monotonic);
    bool found = false, well = true;
    for (const auto demos : {limits::demos_of_calls(), limits::demos_of_rows(), limits::demos_of_what_is_shared(),
                             limits::demos_of_libraries()})
        for (const limits::Demo& demo : demos) {
            if (argc > 1 && std::strcmp(argv[1], demo.name) != 0) continue;
            found = true;
            well = show(demo) && well;
        }
    if (!found) std::fprintf(stderr, "no demo of that name; without a name, all are run\n");
    return found && well ? 0 : 1;
}
