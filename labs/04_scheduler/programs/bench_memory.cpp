#include "labs/04_scheduler/programs/bench_memory.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "labs/04_scheduler/beyond/async.h"
#include "labs/04_scheduler/beyond/interpreter.h"
#include "labs/04_scheduler/tasks.h"
#include "testing/measure/apart.h"
#include "testing/measure/quiet.h"

namespace fiberscope::lab04 {

namespace {

using testing::spoken, testing::verdict_in_words;

constexpr std::size_t kAll = 1'000'000;
constexpr double kMebibyte = 1024 * 1024;

struct Form {
    const char* name;
    const kit::CoroutineBackend* backend;
    std::size_t stack_size;
    double most_mib;  ///< for a million; 0: no bar
};
const Form kForms[] = {{"tasks on private 4 KiB stacks, guarded", &kit::asm_backend, 4096, 4.6 * 1024},
                       {"tasks on shared stacks", &kit::shared_backend, kit::kDefaultStackSize, 520},
                       {"coroutines of an interpreter", &interpreter_backend, 0, 0},
                       {"coroutines of C++20", &stackless::backend, 0, 0}};

/// What a child tells its parent.
struct Report {
    std::size_t parked = 0;
    std::size_t memory = 0;  ///< resident bytes that the tasks have added to the process
    char refusal[240] = {};  ///< why there are no more tasks
};

std::size_t memory_of_this_process() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr) return 0;
    unsigned long total = 0, resident = 0;
    const bool known = std::fscanf(file, "%lu %lu", &total, &resident) == 2;
    std::fclose(file);
    return known ? resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

stackless::Async<void> parks(std::size_t& parked) {
    ++parked;
    co_await stackless::park("a wake that never comes");
}

/// In the child: never returns. The last task has its turn when all others have parked, and tells of them.
[[noreturn]] void park_all(const Form& form, std::size_t count, int told) {
    static Report report;
    static const std::size_t before = memory_of_this_process();
    const bool interpreted = form.backend == &interpreter_backend;
    const bool native = !interpreted && form.backend != &stackless::backend;
    Scheduler& scheduler = *new Scheduler(interpreted ? Settings{.strategy = "go"}
                                          : native    ? Settings{.backend = form.backend}
                                                      : Settings{});
    static std::size_t parked = 0;
    const auto life = [] {
        ++parked;
        park("a wake that never comes");
    };
    const Program& program = *new Program("fn main n\n load n\n native count\n park a wake that never comes\n ret\n",
                                          {{"count", [](Interpreter&, Number n) {
                                                ++parked;
                                                return n;
                                            }}});
    try {
        for (std::size_t i = 0; i < count; ++i)
            interpreted ? go_interpreted(program, "main", 0)
            : native    ? go(life, Attributes{.name = {}, .stack_size = form.stack_size})
                        : stackless::go(parks(parked));
    } catch (const std::system_error& error) {
        std::snprintf(report.refusal, sizeof report.refusal, "%s", error.what());
    }
    go([told] {
        report.parked = parked;
        report.memory = memory_of_this_process() - before;
        _exit(write(told, &report, sizeof report) == sizeof report ? 0 : 1);
    });
    static_cast<void>(scheduler.run());
    _exit(1);
}

Report report_of_child(const Form& form, std::size_t count) {
    Report report;
    if (!testing::told_by_child([&](int told) { park_all(form, count, told); }, &report, sizeof report))
        std::snprintf(report.refusal, sizeof report.refusal, "%s", spoken("the child died"));
    return report;
}

/// Whether the bar is kept.
bool tell(const Form& form, const Report& report, std::size_t wanted) {
    const double mib = static_cast<double>(report.memory) / kMebibyte;
    const double each =
        report.parked == 0 ? 0 : static_cast<double>(report.memory) / static_cast<double>(report.parked);
    std::printf(spoken("%-40s %8zu parked, %8.1f MiB resident, %7.1f bytes each"), form.name, report.parked, mib, each);
    if (report.parked < wanted) {
        std::printf(spoken("   no more: %s\n"), report.refusal);
        return false;
    }
    if (wanted != kAll || form.most_mib == 0) {
        std::printf("\n");
        return true;
    }
    const bool kept = mib <= form.most_mib;
    std::printf(spoken("   bar %.0f MiB: %s\n"), form.most_mib, verdict_in_words(kept));
    return kept;
}

}  // namespace

int memory_main(int argc, char** argv) {
    std::size_t count = kAll;
    bool strict = false, kept = true;
    for (int i = 0; i < argc; ++i)
        if (std::strcmp(argv[i], "--strict") == 0)
            strict = true;
        else
            count = std::strtoul(argv[i], nullptr, 10);
    std::fflush(stdout);
    for (const Form& form : kForms) kept &= tell(form, report_of_child(form, count), count);
    return strict && !kept ? 1 : 0;
}

}  // namespace fiberscope::lab04
