// What lab 04 gives of strategies: what each decides if it decides nothing, and how one is found by its name.
#include "labs/04_scheduler/strategy.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include "labs/04_scheduler/parts/settings.h"
#include "labs/04_scheduler/shared_strategy.h"

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

std::unique_ptr<Strategy> make_strategy(const Settings& settings) {
    std::string names;
    for (const KnownStrategy* one = KnownStrategy::all; one != nullptr; one = one->next_) {
        if (settings.strategy == one->name_) return one->make_(settings);
        names += (names.empty() ? "" : ", ") + std::string(one->name_);
    }
    throw std::invalid_argument("there is no strategy '" + std::string(settings.strategy) + "'; there are: " + names);
}

std::vector<const char*> strategies_of_machines() {
    std::vector<const char*> names;
    for (const KnownStrategy* one = KnownStrategy::all; one != nullptr; one = one->next_)
        if (dynamic_cast<SharedStrategy*>(one->make_({}).get()) != nullptr) names.push_back(one->name_);
    std::ranges::sort(names, {}, [](const char* name) { return std::string_view(name); });
    return names;
}

}  // namespace fiberscope::lab04
