#include "labs/04_scheduler/task_local.h"
#include "languages/spoken_error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>

namespace fiberscope::lab04 {

// ---- keys -----------------------------------------------------------------------------------------------------------

namespace {
// Odd while the key is in use.
std::array<std::atomic<std::uint32_t>, kMostKeys> generations{};
}  // namespace

Key create_key(Destroy destroy) {
    for (std::uint32_t index = 0; index < kMostKeys; ++index) {
        std::uint32_t generation = generations[index].load();
        if (generation % 2 == 0 && generations[index].compare_exchange_strong(generation, generation + 1))
            return {index, generation + 1, destroy};
    }
    throw std::system_error(EAGAIN, std::generic_category(), "create_key: all keys are given out");
}

void delete_key(const Key& key) {
    std::uint32_t generation = key.generation;
    generations[key.index].compare_exchange_strong(generation, generation + 1);
}

// ---- values ---------------------------------------------------------------------------------------------------------

Locals& locals_here() {
    Task* task = task_here();
    if (task == nullptr) return thread_locals();
    if (task->locals() == nullptr) task->locals() = new Locals;
    return *task->locals();
}

void* get_specific(const Key& key) {
    if (generations[key.index].load() != key.generation) return nullptr;
    const std::vector<Slot>& slots = locals_here().slots;
    const bool there = key.index < slots.size() && slots[key.index].generation == key.generation;
    return there ? slots[key.index].value : nullptr;
}

void set_specific(const Key& key, void* value) {
    if (generations[key.index].load() != key.generation)
        throw Spoken<std::invalid_argument>(message("set_specific: key {0} has been given back", key.index));
    Locals& locals = locals_here();
    if (key.index >= locals.slots.size()) locals.slots.resize(key.index + 1);
    Slot& slot = locals.slots[key.index];
    const Slot before = std::exchange(slot, Slot{value, key.destroy, key.generation, ++locals.made});
    if (before.generation != key.generation && before.value != nullptr && before.destroy != nullptr)
        before.destroy(before.value);
}

namespace {

bool is_set(const Slot& slot) { return slot.value != nullptr; }

Slot* last_made(std::vector<Slot>& slots) {
    Slot* last = nullptr;
    for (Slot& slot : slots)
        if (is_set(slot) && (last == nullptr || slot.made > last->made)) last = &slot;
    return last;
}

}  // namespace

void destroy_values(Locals& locals) {
    const auto values = static_cast<std::size_t>(std::count_if(locals.slots.begin(), locals.slots.end(), is_set));
    for (std::size_t left = kMostRounds * values; left > 0; --left) {
        Slot* last = last_made(locals.slots);
        if (last == nullptr) return;
        void* value = std::exchange(last->value, nullptr);
        if (last->destroy != nullptr) last->destroy(value);
    }
}

// ---- the environment ------------------------------------------------------------------------------------------------

namespace {

using Environment = std::map<std::string, std::string, std::less<>>;

std::atomic<const std::vector<std::string>*> own_names{nullptr};

TaskLocal<Environment>& environment() {
    static TaskLocal<Environment> of_each_task;
    return of_each_task;
}

bool is_own(const char* name) {
    const std::vector<std::string>* names = own_names.load();
    return names != nullptr && task_here() != nullptr && std::find(names->begin(), names->end(), name) != names->end();
}

}  // namespace

void own_environment(std::span<const char* const> names) {
    auto copies = std::make_unique<std::vector<std::string>>(names.begin(), names.end());
    for (const std::string& name : *copies)
        if (name.empty() || name.find('=') != std::string::npos)
            throw Spoken<std::invalid_argument>(message("own_environment: '{0}' is not a valid variable name", name));
    const std::vector<std::string>* none = nullptr;
    if (!own_names.compare_exchange_strong(none, copies.get()))
        throw std::logic_error("own_environment: the names have been declared already; they are declared once");
    static_cast<void>(copies.release());
}

const char* task_getenv(const char* name) {
    if (!is_own(name)) return std::getenv(name);
    const Environment* mine = environment().find();
    if (mine == nullptr) return nullptr;
    const auto found = mine->find(name);
    return found == mine->end() ? nullptr : found->second.c_str();
}

void task_setenv(const char* name, const char* value, bool overwrite) {
    if (is_own(name)) {
        const auto [variable, is_new] = environment()->try_emplace(name, value);
        if (!is_new && overwrite) variable->second = value;
    } else if (setenv(name, value, overwrite ? 1 : 0) != 0) {
        throw SpokenSystemError(errno, message("task_setenv: '{0}' cannot be set", name));
    }
}

void task_unsetenv(const char* name) {
    if (!is_own(name)) {
        unsetenv(name);
    } else if (Environment* mine = environment().find()) {
        mine->erase(name);
    }
}

}  // namespace fiberscope::lab04
