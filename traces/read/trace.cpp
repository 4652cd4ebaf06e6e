#include "traces/read/trace.h"

#include <algorithm>
#include <unordered_map>

#include "traces/read/printable.h"

namespace fiberscope::trace {

Foreign Trace::text(std::uint32_t index) const noexcept { return Foreign(bytes_of(index)); }

std::string_view Trace::bytes_of(std::uint32_t index) const noexcept {
    if (index >= string_ends_.size()) return {};
    const std::uint32_t begin = index == 0 ? 0 : string_ends_[index - 1];
    return std::string_view(characters_).substr(begin, string_ends_[index] - begin);
}

bool Trace::has_name(std::uint32_t co) const noexcept {
    return co < spawn_names_.size() && spawn_names_[co] != kNone && !text(spawn_names_[co]).empty();
}

std::string Trace::name(std::uint32_t co) const {
    if (has_name(co)) return printable(text(spawn_names_[co]));
    return co == kNone ? "no coroutine" : "coroutine " + std::to_string(co);
}

void Trace::number_namesakes() {
    std::unordered_map<std::string, std::uint32_t> last;  // the last number assigned, by name
    for (const std::uint32_t name : spawn_names_)
        if (name != kNone) last.try_emplace(std::string(bytes_of(name)), 0);
    for (std::uint32_t& name : spawn_names_) {
        if (name == kNone || text(name).empty()) continue;
        const std::string own(bytes_of(name));
        if (++last[own] == 1) continue;
        std::string numbered;
        do numbered = own + " (" + std::to_string(last[own]++) + ")";
        while (!last.try_emplace(numbered, 1).second);
        --last[own];
        name = static_cast<std::uint32_t>(string_ends_.size());
        characters_ += numbered;
        string_ends_.push_back(static_cast<std::uint32_t>(characters_.size()));
    }
}

Foreign Trace::set_name(std::uint32_t set) const noexcept {
    return set < set_names_.size() ? text(set_names_[set]) : Foreign();
}

Access Trace::access(std::size_t n) const noexcept {
    const auto found = std::lower_bound(addresses_.begin(), addresses_.end(), n,
                                        [](const AddressOf& a, std::size_t event) { return a.access < event; });
    const std::uint32_t whose = found != addresses_.end() && found->access == n ? found->whose : kNone;
    return {events_[n].other, whose};
}

std::string Trace::lab_word(State state) const {
    std::string words;
    for (const auto& [own, ours] : head.names)
        if (ours == state) words += (words.empty() ? "" : "/") + printable(own);
    return words;
}

const Trace::SwitchRegisters* Trace::registers_of(std::size_t n) const noexcept {
    const auto found = std::lower_bound(switches_.begin(), switches_.end(), n,
                                        [](const SwitchRegisters& s, std::size_t event) { return s.event < event; });
    return found != switches_.end() && found->event == n ? &*found : nullptr;
}

std::vector<RegisterValue> Trace::whole(std::uint32_t snapshot) const {
    std::vector<RegisterValue> all;
    if (snapshot == kNone) return all;
    for (const std::uint32_t name : shapes_[snapshots_[snapshot].shape]) all.push_back({name, kNone});
    for (; snapshot != kNone; snapshot = snapshots_[snapshot].previous) {
        const Snapshot& s = snapshots_[snapshot];
        for (std::uint32_t i = s.first; i < s.first + s.count; ++i) {
            RegisterValue& value = all[changes_[i].position];
            if (value.value == kNone) value.value = changes_[i].value;
        }
    }
    return all;
}

std::vector<RegisterValue> Trace::saved(std::size_t n) const {
    const SwitchRegisters* found = registers_of(n);
    return found ? whole(found->saved) : std::vector<RegisterValue>();
}

std::vector<RegisterValue> Trace::loaded(std::size_t n) const {
    const SwitchRegisters* found = registers_of(n);
    return found ? whole(found->loaded) : std::vector<RegisterValue>();
}

std::size_t Trace::memory() const noexcept {
    const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
    std::size_t sum = sizeof(*this) + events_.memory() + lines_.memory() + characters_.capacity() +
                      bytes(string_ends_) + bytes(spawn_names_) + bytes(set_names_) + bytes(switches_) +
                      bytes(addresses_) + bytes(snapshots_) + bytes(changes_) + bytes(shapes_);
    for (const auto& shape : shapes_) sum += bytes(shape);
    return sum;
}

}  // namespace fiberscope::trace
