// Given: the default decisions of strategies, and the lookup of a strategy by name.
#include "labs/04_scheduler/strategy.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "labs/04_scheduler/parts/settings.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04 {

void Strategy::make_new_ready(Scheduler& scheduler, Task& task) { scheduler.make_ready(task, Cause::spawned); }
Scheduler& Strategy::select_scheduler(Scheduler& here, int) { return here; }
Body Strategy::wrap_body(Body body) { return body; }
void Strategy::leave(Task& self, State left, std::int64_t until, const char* reason) {
    self.backend->yield(left, until, reason);
}
void Strategy::on_attach(Scheduler&) {}
void Strategy::on_detach(Scheduler&) {}

constinit KnownStrategy* KnownStrategy::all = nullptr;

namespace {

/// Position of a step such as "4.12" in the lab.
int step_of(const KnownStrategy::About& strategy) {
    for (const kit::CodeRow& row : strategy.code)
        if (row.of == "program") return std::stoi(std::string(row.step.substr(row.step.find('.') + 1)));
    return std::numeric_limits<int>::max();
}

}  // namespace

std::vector<const KnownStrategy::About*> KnownStrategy::known() {
    std::vector<const About*> found;
    for (const KnownStrategy* one = all; one != nullptr; one = one->next_) found.push_back(&one->about_);
    std::ranges::sort(found, [](const About* a, const About* b) {
        return std::pair(step_of(*a), std::string_view(a->name)) < std::pair(step_of(*b), std::string_view(b->name));
    });
    return found;
}

std::vector<const char*> strategies(bool (*takes)(const KnownStrategy::About&)) {
    std::vector<const char*> names;
    for (const KnownStrategy::About* one : KnownStrategy::known())
        if (takes(*one)) names.push_back(one->name);
    return names;
}

std::unique_ptr<Strategy> make_strategy(const Settings& settings) {
    std::string names;
    for (const KnownStrategy::About* one : KnownStrategy::known()) {
        if (settings.strategy == one->name) return one->make(settings);
        names += (names.empty() ? "" : ", ") + std::string(one->name);
    }
    throw Spoken<std::invalid_argument>(
        message("there is no strategy '{0}'; there are: {1}", settings.strategy, names));
}

}  // namespace fiberscope::lab04
