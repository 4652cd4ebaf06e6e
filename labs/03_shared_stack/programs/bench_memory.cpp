#include "labs/03_shared_stack/programs/bench_memory.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <system_error>

#include "labs/03_shared_stack/coroutine.h"
#include "testing/measure/apart.h"
#include "testing/measure/quiet.h"

namespace fiberscope::lab03 {

namespace {

using testing::spoken, testing::verdict_in_words;

constexpr std::size_t kMillion = 1'000'000;

struct Kind {
    const char* name;
    bool shared;
    double most_mib;  ///< for a million
};
constexpr Kind kKinds[] = {{"one shared stack, _switch", true, 512},
                           {"private 4 KiB stacks, guarded", false, 4.5 * 1024}};

/// What a child reports.
struct Parked {
    std::size_t count = 0;
    std::size_t resident = 0;  ///< bytes that the coroutines added to the process
    char refusal[200] = {};    ///< why there are no more
};

std::size_t resident_bytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    unsigned long total = 0, resident = 0;
    if (file == nullptr) return 0;
    if (std::fscanf(file, "%lu %lu", &total, &resident) != 2) resident = 0;
    std::fclose(file);
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Parked park(const Kind& kind, std::size_t count) {
    Parked parked;
    auto& group = *new SharedStacks(1);
    auto& all = *new std::deque<Coroutine>;
    try {
        for (; parked.count < count; ++parked.count) {
            if (kind.shared)
                all.emplace_back([] { yield(); }, group);
            else
                all.emplace_back([] { yield(); }, Attributes{.stack_size = 4096});
            all.back().resume();
        }
    } catch (const std::system_error& error) {
        std::snprintf(parked.refusal, sizeof parked.refusal, "%s", error.what());
    }
    parked.resident = resident_bytes();
    return parked;
}

// In a child, so that one kind leaves nothing behind for the other.
Parked park_in_child(const Kind& kind, std::size_t count) {
    Parked parked;
    const auto tell = [&](int told) {
        const Parked here = park(kind, count);
        static_cast<void>(!write(told, &here, sizeof here));
    };
    if (!testing::told_by_child(tell, &parked, sizeof parked))
        std::snprintf(parked.refusal, sizeof parked.refusal, "%s", spoken("the child died"));
    return parked;
}

bool print(const Kind& kind, const Parked& parked, std::size_t wanted) {
    const double mib = static_cast<double>(parked.resident) / (1024 * 1024);
    const double each =
        parked.count == 0 ? 0 : static_cast<double>(parked.resident) / static_cast<double>(parked.count);
    std::printf(spoken("%-32s %8zu parked, %8.1f MiB resident, %7.1f bytes each"), kind.name, parked.count, mib, each);
    if (parked.count < wanted) {
        std::printf(spoken("   stopped: %s\n"), parked.refusal);
        std::printf("%-32s %s\n", "",
                    spoken("a guard by mprotect costs mappings; one by MADV_GUARD_INSTALL (Linux 6.13) costs none"));
        return false;
    }
    if (wanted != kMillion) return std::printf("\n"), true;
    std::printf(spoken("   bar %.0f MiB: %s\n"), kind.most_mib, verdict_in_words(mib <= kind.most_mib));
    return mib <= kind.most_mib;
}

}  // namespace

int memory_main(int argc, char** argv) {
    std::size_t count = kMillion;
    bool strict = false, kept = true;
    for (int i = 0; i < argc; ++i) {
        if (std::strcmp(argv[i], "--strict") == 0)
            strict = true;
        else
            count = std::strtoul(argv[i], nullptr, 10);
    }
    std::printf(spoken("a coroutine object has %zu bytes\n"), sizeof(Coroutine));
    std::fflush(stdout);
    for (const Kind& kind : kKinds) kept &= print(kind, park_in_child(kind, count), count);
    return strict && !kept ? 1 : 0;
}

}  // namespace fiberscope::lab03
