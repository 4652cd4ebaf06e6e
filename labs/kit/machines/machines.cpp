// Several machines: their start and end.
#include "labs/kit/machines/machines.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "labs/kit/machines/machine_thread.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"
#include "languages/message.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

Machines::Machines(unsigned count, std::uint64_t seed) : random_(seed) {
    if (count == 0) throw std::invalid_argument("a scheduler needs at least one machine");
    for (unsigned i = 0; i < count; ++i) machines_.push_back(std::make_unique<MachineThread>());
}

Machines::~Machines() = default;

Machines* Machines::of_this_thread() noexcept { return thread_state().machines; }

void Machines::run(const std::function<void(unsigned)>& body) {
    failure_ = nullptr;
    stopped_ = false;
    turn_ = 0;
    for (unsigned i = 0; i < count(); ++i) name_object(machines_[i].get(), message("machine {0}", i));
    for (auto& machine : machines_) machine->doing = MachineThread::Doing::not_begun;
    begin(0);
    start_others(body);
    run_one(0, body);
    for (auto& machine : machines_)
        if (machine->thread.joinable()) machine->thread.join();
    if (by_turns())
        for (auto& machine : machines_) virtual_now() = std::max(virtual_now(), machine->clock);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// One after the other, so that the numbers of the threads and of the trace's machines are the same in every run.
void Machines::start_others(const std::function<void(unsigned)>& body) {
    const std::uint64_t start = now();
    try {
        for (unsigned i = 1; i < count(); ++i) {
            std::unique_lock lock(mutex_);
            machines_[i]->thread = std::thread([this, i, start, &body] {
                virtual_now() = start;
                run_one(i, body);
            });
            machines_[i]->turn.wait(lock, [&] { return machines_[i]->doing != MachineThread::Doing::not_begun; });
        }
    } catch (...) {
        fail(std::current_exception());
    }
}

void Machines::run_one(unsigned index, const std::function<void(unsigned)>& body) noexcept {
    try {
        if (index != 0) begin(index);
        if (!has_stopped()) body(index);
        choice(Act::end);
    } catch (const Stopped&) {
        // The machine that failed reports the error.
    } catch (...) {
        fail(std::current_exception());
    }
    end(index);
}

void Machines::begin(unsigned index) {
    ThreadState& thread = this_thread();
    thread.machines = this;
    thread.machine = index;
    std::unique_lock lock(mutex_);
    MachineThread& self = *machines_[index];
    self.doing = MachineThread::Doing::running;
    self.unparked = false;
    self.unparked_at = 0;
    self.clock = now();
    self.act = Act::begin;
    self.wanted = nullptr;
    self.turn.notify_all();
    if (by_turns() && index != 0) self.turn.wait(lock, [&] { return turn_ == index; });
}

void Machines::end(unsigned index) noexcept {
    trace::flush();  // while it is this machine's turn, so that the lines of the file have the same order in every run
    const std::unique_lock lock(mutex_);
    MachineThread& self = *machines_[index];
    self.doing = MachineThread::Doing::ended;
    self.clock = now();
    this_thread().machines = nullptr;
    if (explorer() != nullptr) explorer()->drain(index);
    self.act = Act::end;
    if (all_parked()) {
        stopped_ = true;
        if (!failure_) failure_ = std::make_exception_ptr(AllParked());
    }
    if (stopped_)
        for (auto& machine : machines_) machine->turn.notify_all();
    turn_ = next_turn();
    machines_[turn_]->turn.notify_all();
}

bool Machines::has_stopped() noexcept {
    const std::unique_lock lock(mutex_);
    return stopped_;
}

void Machines::fail(std::exception_ptr why) noexcept {
    const std::unique_lock lock(mutex_);
    if (!failure_) failure_ = std::move(why);
    stopped_ = true;
    for (auto& machine : machines_) machine->turn.notify_all();
}

}  // namespace fiberscope::kit
