#include "extras/explore/engine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "labs/kit/run/core.h"
#include "labs/kit/run/trace.h"

namespace fiberscope::explore {

Engine::Engine(Journal& journal, Chooser& chooser, bool weak) : journal_(journal), chooser_(chooser), weak_(weak) {
    journal_.begin();
    kit::set_explorer(this);
}

Engine::~Engine() { kit::set_explorer(nullptr); }

void Engine::fail(const std::string& what) {
    std::snprintf(journal_.what.data(), journal_.what.size(), "%s", what.c_str());
    journal_.end = End::failed;
    kit::end_trace();
    _exit(kFailedStatus);
}

constexpr Text kAtomic = mark("an atomic"), kLock = mark("a lock");

// ---- choices
// -----------------------------------------------------------------------------------------------------------

Step& Engine::add(const Step& step) {
    if (journal_.size == kMostSteps)
        fail(message("the run does not end: after {0} choice points machine {1} is still running", kMostSteps,
                     step.machine));
    Step& added = journal_.steps[journal_.size];
    added = step;
    added.chosen = static_cast<std::uint8_t>(step.count == 1 ? 0 : chooser_.choose(step, journal_.size));
    journal_.words[journal_.size][0] = '\0';
    ++journal_.size;
    ++journal_.points;
    return added;
}

unsigned Engine::choose(const kit::ChoicePoint& point) {
    if (point.machine >= kMostMachines || point.options.size() > kMostMachines)
        fail(message("at most {0} machines can be explored; use fewer (--machines)", kMostMachines));
    Step step{.machine = static_cast<std::uint8_t>(point.machine),
              .act = point.act,
              .stays = point.stays,
              .free = static_cast<std::uint8_t>(point.free),
              .of_memory = false,
              .count = static_cast<std::uint8_t>(std::min(point.options.size(), kMostMachines)),
              .chosen = 0,
              .options = {}};
    std::copy_n(point.options.begin(), step.count, step.options.begin());
    Step& added = add(step);
    if (journal_.wants_words) {
        auto& place = journal_.words[journal_.size - 1];
        std::snprintf(place.data(), place.size(), "%s", words(point).c_str());
        if (added.count > 1) note(added);
    }
    return added.chosen;
}

// Records which machine continued, and which could have.
void Engine::note(const Step& step) const {
    std::string others;
    for (unsigned i = 0; i < step.count && !step.of_memory; ++i)
        if (i != step.chosen) others += (others.empty() ? "" : ", ") + std::to_string(step.options[i]);
    const bool costs = step.cost() != 0;
    const trace::Turn turn = step.of_memory ? (costs ? trace::Turn::seen_later : trace::Turn::seen_at_once)
                                            : (costs ? trace::Turn::preemption : trace::Turn::free);
    kit::note_choice(static_cast<std::int64_t>(journal_.size), turn, step.next(), others);
}

// ---- locks
// -------------------------------------------------------------------------------------------------------------

void Engine::took(const void* lock, unsigned machine) {
    held_.emplace_back(lock, machine);
    if (const auto before = published_.find(lock); before != published_.end() && before->second.machine != machine)
        drain_to(before->second.machine, before->second.number);
}

void Engine::released(const void* lock, unsigned machine) {
    std::erase_if(held_, [&](const auto& one) { return one.first == lock; });
    if (weak_) published_[lock] = {machine, stores_};
}

bool Engine::holds(const void* lock, unsigned machine) const {
    return std::ranges::find(held_, std::pair(lock, machine)) != held_.end();
}

// ---- store buffers
// -----------------------------------------------------------------------------------------------------

bool Engine::keeps(const kit::LateStore& store, unsigned machine) {
    if (!weak_) return false;
    const Step step{.machine = static_cast<std::uint8_t>(machine),
                    .act = kit::Act::store,
                    .stays = true,
                    .free = 1,
                    .of_memory = true,
                    .count = 2,
                    .chosen = 0,
                    .options = {}};
    const bool behind_others = !kept_[machine].empty();  // a store buffer is first in, first out
    if (!behind_others) {
        const Step& added = add(step);
        if (journal_.wants_words) note(added);
        if (added.chosen == 0) return false;
    }
    if (!behind_others && journal_.wants_words)
        std::snprintf(journal_.words[journal_.size - 1].data(), journal_.words[0].size(), "%s",
                      message("stores {0}: others see it later", name_of(store.atomic, kAtomic)).c_str());
    kept_[machine].push_back({store, ++stores_});
    return true;
}

const std::uint64_t* Engine::own_store(const void* atomic, unsigned machine) const {
    const auto& kept = kept_[machine];
    for (auto one = kept.rbegin(); one != kept.rend(); ++one)
        if (one->store.atomic == atomic) return &one->store.bits;
    return nullptr;
}

void Engine::drain(unsigned machine) { drain_to(machine, stores_); }

void Engine::drain_to(unsigned machine, std::uint64_t number) {
    auto& kept = kept_[machine];
    for (; !kept.empty() && kept.front().number <= number; kept.pop_front())
        kept.front().store.apply(kept.front().store.atomic, kept.front().store.bits);
}

// ---- words
// -------------------------------------------------------------------------------------------------------------

void Engine::name(const void* object, std::string_view name) { names_[object] = name; }

Value Engine::name_of(const void* object, Text kind) {
    const auto known = names_.find(object);
    return known == names_.end() ? Value(kind) : Value::of(known->second);
}

std::string Engine::words(const kit::ChoicePoint& point) {
    using kit::Act;

    switch (point.act) {
    case Act::begin: return message("begins");
    case Act::resume: return message("resumes '{0}'", static_cast<const kit::Core*>(point.object)->name());
    case Act::yielded:
        return message("'{0}' has yielded or ended", static_cast<const kit::Core*>(point.object)->name());
    case Act::work: return message("time passes");
    case Act::retry: return message("tries again");
    case Act::enter: return message("enters one of its own coroutines");
    case Act::lock:
        return message(point.stays ? mark("takes {0}") : mark("waits for {0}"), name_of(point.object, kLock));
    case Act::unlock: return message("releases {0}", name_of(point.object, kLock));
    case Act::park: return message(point.stays ? mark("parks") : mark("is parked"));
    case Act::unpark: return message("unparks {0}", name_of(point.object, mark("another machine")));
    case Act::load: return message("reads {0}", name_of(point.object, kAtomic));
    case Act::store: return message("stores {0}", name_of(point.object, kAtomic));
    case Act::change: return message("changes {0}", name_of(point.object, kAtomic));
    case Act::fence: return message("passes a fence");
    case Act::end: return message(point.stays ? mark("ends") : mark("has ended"));
    }
    return {};
}

}  // namespace fiberscope::explore
