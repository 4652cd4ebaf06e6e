// Given instead of epoll: scripted events.
#include <algorithm>

#include "labs/04_scheduler/event_source.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

void SimulatedSource::becomes_ready(int fd, Want want, std::uint64_t at) {
    const std::lock_guard lock(agenda_->mutex);
    agenda_->coming.emplace(at, Descriptor(fd, want));
}

void SimulatedSource::watch(int fd, Want want) {
    const std::lock_guard lock(agenda_->mutex);
    ++watchers_[{fd, want}];
}

void SimulatedSource::unwatch(int fd, Want want) {
    const std::lock_guard lock(agenda_->mutex);
    const auto watched = watchers_.find({fd, want});
    if (watched != watchers_.end() && --watched->second == 0) watchers_.erase(watched);
}

bool SimulatedSource::expects_any() const {
    const std::lock_guard lock(agenda_->mutex);
    return next_watched() != kNever;
}

std::unique_ptr<EventSource> SimulatedSource::another() {
    return std::unique_ptr<EventSource>(new SimulatedSource(agenda_));
}

std::uint64_t SimulatedSource::next_watched() const {
    if (watchers_.empty()) return kNever;
    const auto& coming = agenda_->coming;
    const auto next =
        std::find_if(coming.begin(), coming.end(), [&](const auto& one) { return watchers_.contains(one.second); });
    return next == coming.end() ? kNever : next->first;
}

void SimulatedSource::take_due(std::uint64_t now) {
    auto& coming = agenda_->coming;
    for (auto one = coming.begin(); one != coming.end() && one->first <= now;) {
        const int fd = one->second.first;
        const Want want = one->second.second;
        const bool told =
            std::any_of(due_.begin(), due_.end(), [=](const Event& due) { return due.fd == fd && due.want == want; });
        const bool tells = !told && watchers_.contains(one->second);
        if (tells) due_.push_back({fd, want});
        one = tells ? coming.erase(one) : std::next(one);
    }
}

std::span<Event> SimulatedSource::wait(std::uint64_t until) {
    std::unique_lock lock(agenda_->mutex);
    due_.clear();
    if (agenda_->coming.empty() && until == 0) return {};
    take_due(kit::now());
    if (!due_.empty()) return due_;
    const std::uint64_t wake = std::min(until, next_watched());
    if (wake == 0 || wake == kNever) return {};
    lock.unlock();
    kit::idle_until(wake);
    lock.lock();
    take_due(kit::now());
    return due_;
}

}  // namespace fiberscope::lab04
