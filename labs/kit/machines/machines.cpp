#include "labs/kit/machines/machines.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "labs/kit/machines/machine_thread.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

namespace {
bool by_turns() noexcept { return clock_kind() == ClockKind::virtual_; }
}  // namespace

Machines::Machines(unsigned count, std::uint64_t seed) : random_(seed) {
    if (count == 0) throw std::invalid_argument("a scheduler needs at least one machine");
    for (unsigned i = 0; i < count; ++i) machines_.push_back(std::make_unique<MachineThread>());
}

Machines::~Machines() = default;

Machines* Machines::of_this_thread() noexcept { return thread_state().machines; }

// ---- beginning and end ------------------------------------------------------------------------------------------

void Machines::run(const std::function<void(unsigned)>& body) {
    failure_ = nullptr;
    stopped_ = false;
    turn_ = 0;
    for (unsigned i = 0; i < count(); ++i) name_object(machines_[i].get(), "machine " + std::to_string(i));
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

// One after the other, so that the numbers of the threads and of the trace's machines are the same on every run.
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
        // The one that failed is told of.
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
    trace::flush();  // while it is this machine's turn: so the lines of the file stand in the same order on every run
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

// ---- turns ------------------------------------------------------------------------------------------------------

// The machine whose next step comes first; among equals the seed decides.
unsigned Machines::furthest_behind() {
    std::uint64_t first = kNever;
    unsigned chosen = turn_, equals = 0;
    for (unsigned i = 0; i < count(); ++i) {
        const MachineThread& machine = *machines_[i];
        if (!machine.takes_part()) continue;
        const std::uint64_t next = stopped_ ? 0 : machine.next_step();
        if (next > first || (!stopped_ && machine.waits_for_ever())) continue;
        equals = next < first ? 1 : equals + 1;
        if (equals == 1 || random_() % equals == 0) chosen = i;
        first = next;
    }
    return chosen;
}

// The baton goes to the furthest behind; comes back when it has come round.
void Machines::give_turn(std::unique_lock<std::mutex>& lock, MachineThread& self) {
    const unsigned mine = turn_;
    turn_ = next_turn();
    if (turn_ == mine) return;
    machines_[turn_]->turn.notify_all();
    self.turn.wait(lock, [&] { return turn_ == mine; });
}

void Machines::pass_the_baton() {
    if (!by_turns() || count() == 1) return;
    std::unique_lock lock(mutex_);
    MachineThread& self = *machines_[thread_state().machine];
    self.clock = now();
    give_turn(lock, self);
}

// ---- parking ----------------------------------------------------------------------------------------------------

bool Machines::all_parked() const noexcept {
    unsigned parked = 0;
    for (const auto& machine : machines_) {
        if (machine->doing == MachineThread::Doing::running) return false;
        if (!machine->takes_part()) continue;
        if (!machine->waits_for_ever()) return false;
        ++parked;
    }
    return parked > 0;
}

bool Machines::park(std::uint64_t until) {
    choice(Act::park);
    std::unique_lock lock(mutex_);
    MachineThread& self = *machines_[thread_state().machine];
    if (stopped_) throw Stopped{};
    self.clock = now();
    self.until = until;
    self.doing = MachineThread::Doing::parked;
    if (explorer() != nullptr) {
        explorer()->drain(turn_);
        check_sleepers();
    }
    if (all_parked()) {
        self.doing = MachineThread::Doing::running;
        throw AllParked();
    }
    const bool unparked = by_turns() ? park_in_turn(lock, self) : park_for_real(lock, self, until);
    self.doing = MachineThread::Doing::running;
    self.unparked = false;
    if (stopped_) throw Stopped{};
    return unparked;
}

bool Machines::park_in_turn(std::unique_lock<std::mutex>& lock, MachineThread& self) {
    give_turn(lock, self);
    if (!stopped_) virtual_now() = self.next_step();
    return self.unparked;
}

bool Machines::park_for_real(std::unique_lock<std::mutex>& lock, MachineThread& self, std::uint64_t until) {
    const auto over = [&] { return self.unparked || stopped_; };
    if (until == kNever) {
        self.turn.wait(lock, over);
        return self.unparked;
    }
    for (std::uint64_t before = now(); before < until && !over(); before = now())
        self.turn.wait_for(lock, a_while(until - before), over);
    return self.unparked;
}

void Machines::unpark(unsigned index) {
    choice(Act::unpark, machines_[index].get());
    MachineThread& machine = *machines_[index];
    {
        const std::unique_lock lock(mutex_);
        machine.unparked = true;
        machine.unparked_at = std::max(machine.unparked_at, now());
    }
    if (!by_turns()) machine.turn.notify_all();
}

}  // namespace fiberscope::kit
