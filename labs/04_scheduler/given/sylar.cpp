// Given for sylar's scheduler: the contexts of each machine, start and stop around the student's loops, and the
// functions with sylar's names.
#include <new>
#include <stdexcept>
#include <utility>

#include "labs/04_scheduler/sylar.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04 {

namespace {
constexpr kit::CodeRow kSylar[] = {
    {"program", "", "4.6", "exercise/sylar.cpp"},
    {"taken", "ready", "4.6", "exercise/sylar.cpp", "Task* Sylar::take(", "ready().pop_first("},
    {"idle", "", "4.6", "exercise/sylar.cpp", "void Sylar::schedule_tasks(", "resume_idle("},
    {"loop", "", "4.6", "given/sylar.cpp", "void Sylar::run_on_caller(", "scheduler.resume()"},
};
}  // namespace

extern "C" {
KnownStrategy fiberscope_strategy_sylar(
    {.name = "sylar",
     .make = &KnownStrategy::make<Sylar>,
     .machines = true,
     .rule = mark("each thread takes the first task of the common list that may run on it"),
     .code = kSylar,
     .only = "sylar io_manager"});
}

namespace {
constexpr std::align_val_t kAlignment{16};
}

// ---- a coroutine that is no task ------------------------------------------------------------------------------------

void OwnCoroutine::Free::operator()(void* room) const noexcept { ::operator delete(room, kAlignment); }

OwnCoroutine::OwnCoroutine(const kit::CoroutineBackend& backend, Body body, std::string name, trace::CoKind kind)
    : backend_(backend), room_(::operator new(backend.size, kAlignment)) {
    Attributes attributes;
    attributes.name = std::move(name);
    attributes.kind = kind;
    core_ = &backend_.create(room_.get(), std::move(body), std::move(attributes));
}

OwnCoroutine::~OwnCoroutine() { backend_.destroy(*core_); }

void OwnCoroutine::resume() {
    kit::Machines::pace(kit::Act::enter, core_);
    kit::resume(backend_, *core_);
}

// ---- machines -------------------------------------------------------------------------------------------------------

unsigned Sylar::threads(const Scheduler& sched) const noexcept {
    return sched.settings().machines + (sched.settings().use_caller ? 0 : 1);
}

Scheduler& Sylar::select_scheduler(Scheduler& here, int pinned) {
    const int first = here.settings().use_caller ? 0 : 1;
    const int last = static_cast<int>(threads(here)) - 1;
    if (pinned != kAnyMachine && (pinned < first || pinned > last))
        throw Spoken<std::invalid_argument>(
            message("machine {0} runs no tasks: there are machines {1} to {2}", pinned, first, last));
    return here;
}

bool Sylar::has_work(WorkerPool& sched, const Machine& machine) {
    const bool any = WorkerPool::worth_helping(machine);
    const auto wanted = [&](const Task& task) {
        return task.pinned == kAnyMachine ? any : task.pinned == static_cast<int>(machine.index);
    };
    return (stopped_ && sched.alive() == 0) || sched.ready().find(wanted) != nullptr;
}

void Sylar::run(Scheduler& scheduler) {
    WorkerPool& sched = scheduler.shared();
    if (sched.settings().machines == 0) throw std::invalid_argument("a scheduler needs at least one machine");
    const unsigned count = threads(scheduler);
    idle_.assign(count, nullptr);
    resting_ = 0;
    serving_ = sched.settings().machines;
    stopped_ = false;
    leaves_all_to_lookers_ = true;
    sched.run_on_machines(count, [&](Machine& machine) {
        if (machine.index == 0)
            run_on_caller(sched, machine);
        else
            serve(sched, machine);
    });
}

// The thread's own context resumes the scheduler coroutine, and waits for it like any resumer. Instead of libco's stack
// of callers, sylar has two thread-local variables and a flag in each fiber (lab 02, step 2.4).
std::string Sylar::work_for(WorkerPool& sched, unsigned machine) {
    const Task* first = sched.scheduler().ready().find(
        [&](const Task& task) { return task.pinned == kAnyMachine || task.pinned == static_cast<int>(machine); });
    return first == nullptr ? "" : "'" + first->core().name() + "' is ready";
}

void Sylar::run_on_caller(WorkerPool& sched, Machine& machine) {
    try {
        if (meanwhile_) meanwhile_();
    } catch (...) {
        stop(sched);
        throw;
    }
    stop(sched);
    if (!sched.settings().use_caller) return;
    OwnCoroutine scheduler(
        sched.scheduler().backend(), [&] { serve(sched, machine); }, "scheduler", trace::CoKind::scheduler);
    scheduler.resume();
}

void Sylar::serve(WorkerPool& sched, Machine& machine) {
    OwnCoroutine idle_here(
        sched.scheduler().backend(), [this, &sched, &machine] { idle(sched, machine); },
        "idle " + std::to_string(machine.index), trace::CoKind::idle);
    idle_[machine.index] = &idle_here;
    schedule_tasks(sched, machine);
}

// A machine that leaves by an exception counts as resting forever.
void Sylar::resume_idle(SchedulerLock& held, const Machine& machine) KIT_UNCHECKED {
    ++resting_;
    held.unlock();
    idle_[machine.index]->resume();
    held.lock();
    --resting_;
}

void Sylar::yield_idle(WorkerPool& sched, SchedulerLock& held) KIT_UNCHECKED {
    if (sched.settings().with_known_bug && stopped_ && resting_ == serving_ && sched.alive() > 0)
        sched.throw_if_stuck();
    held.unlock();
    sched.scheduler().backend().yield(State::suspended, trace::kAbsent, nullptr);
    held.lock();
}

const Machine* Sylar::machine_here(WorkerPool& sched) noexcept {
    const Machine* machine = lab04::machine_here();
    return machine != nullptr && machine->sched == &sched.scheduler() ? machine : nullptr;
}

// On the calling thread only coroutines loop; its own context runs `meanwhile` first.
bool Sylar::in_the_loop(WorkerPool& sched) noexcept {
    const Machine* machine = machine_here(sched);
    if (machine == nullptr || machine->running != nullptr) return false;
    const kit::ThreadState& thread = kit::thread_state();
    return machine->index != 0 || thread.current != thread.own;
}

// ---- used as sylar does ---------------------------------------------------------------------------------------------

std::vector<Failure> start_and_stop(Scheduler& scheduler, std::function<void()> meanwhile) {
    auto* sylar = dynamic_cast<Sylar*>(&scheduler.strategy());
    if (sylar == nullptr)
        throw std::invalid_argument("start_and_stop works only with the strategy sylar; call run() for the others");
    struct Forget {
        Sylar& sylar;
        ~Forget() { sylar.meanwhile_ = nullptr; }
    } const forget{*sylar};
    sylar->meanwhile_ = std::move(meanwhile);
    return scheduler.run();
}

Handle schedule(Body function, int machine) {
    if (Scheduler::here() == nullptr) {
        if (Handle given = go_from_outside("sylar", function, {}, {.pinned = machine})) return given;
        throw std::logic_error("schedule: neither this thread nor any other has a sylar scheduler");
    }
    return machine == kAnyMachine ? go(std::move(function))
                                  : go_on(static_cast<unsigned>(machine), std::move(function));
}

bool schedule(const Handle& coroutine, int machine) {
    if (coroutine.done()) return false;
    Task& task = coroutine.task();
    WorkerPool& sched = task.sched->strategy().select_scheduler(*task.sched, machine).shared();
    const SchedulerLock held(sched);
    if (sched.scheduler().is_shared() && !task.wakeable) return false;
    const int before = std::exchange(task.pinned, machine);
    if (sched.wake_and_tell(task, Wake::event, Cause::signal)) return true;
    task.pinned = before;
    return false;
}

void move_to(int machine) {
    Task& self = running_task();
    self.sched->strategy().select_scheduler(*self.sched, machine);
    self.pinned = machine;
    yield();
}

}  // namespace fiberscope::lab04
