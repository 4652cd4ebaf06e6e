#include "extras/explore/journal.h"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>

namespace fiberscope::explore {

unsigned preemptions(std::span<const Step> run) noexcept {
    unsigned sum = 0;
    for (const Step& step : run) sum += step.cost();
    return sum;
}

unsigned switches(std::span<const Step> run) noexcept {
    unsigned sum = 0;
    for (const Step& step : run) sum += step.next() != step.machine ? 1U : 0U;
    return sum;
}

Schedule schedule_of(std::span<const Step> run) {
    Schedule schedule;
    for (std::size_t i = 0; i < run.size(); ++i) {
        if (run[i].chosen == 0) continue;
        const std::uint8_t machine = run[i].of_memory ? Deviation::kLater : run[i].options[run[i].chosen];
        schedule.push_back({static_cast<std::uint32_t>(i + 1), machine});
    }
    return schedule;
}

SharedJournal::SharedJournal() {
    void* memory =
        mmap(nullptr, sizeof(Journal), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "cannot map a journal");
    journal_ = static_cast<Journal*>(memory);  // zeroed by the kernel, as required by its members
}

SharedJournal::~SharedJournal() { munmap(journal_, sizeof(Journal)); }

}  // namespace fiberscope::explore
