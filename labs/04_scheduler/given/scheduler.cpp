// Given: the beginning and end of schedulers and tasks, and polling for events.
#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "labs/04_scheduler/given/task_memory.h"
#include "labs/04_scheduler/given/waiting.h"
#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/04_scheduler/task_local.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab04 {

namespace {

std::size_t size_with(const kit::CoroutineBackend& backend) noexcept { return sizeof(Task) + backend.size; }

void destroy(Task& task) {
    const kit::CoroutineBackend& backend = *task.backend;
    backend.destroy(task.core());
    task.~Task();
    give_task_memory(&task, size_with(backend));
}

void let_go(Task& task) noexcept {
    if (task.holders.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(task);
}

}  // namespace

static_assert(sizeof(Task) == 192, "three cache lines, since there may be a million tasks");

TaskColdState::~TaskColdState() { delete cold_state_.load(std::memory_order_relaxed); }
ColdState& TaskColdState::make_cold_state() {
    auto mine = std::make_unique<ColdState>();
    ColdState* there = nullptr;
    if (cold_state_.compare_exchange_strong(there, mine.get(), std::memory_order_acq_rel)) return *mine.release();
    return *there;
}

Handle::~Handle() {
    if (task_ != nullptr) let_go(*task_);
}
void WorkerPool::release(Task& task) noexcept { let_go(task); }

// ---- schedulers ----------------------------------------------------------------------------------------------------

SchedulerParts::SchedulerParts(const Settings& asked, Scheduler& scheduler, unsigned machine)
    : settings(asked), own{&scheduler, machine} {}
SchedulerParts::~SchedulerParts() = default;

SchedulerBase::SchedulerBase(const Settings& settings, SchedulerBase* first, unsigned machine, EventSource* source)
    : birth_(kit::now()),
      parts_(std::make_unique<SchedulerParts>(settings, self(), machine)),
      source_(source),
      strategy_(first == nullptr ? nullptr : first->strategy_),
      backend_(settings.backend) {
    if (source_ == nullptr) source_ = (parts_->own_source = std::make_unique<SimulatedSource>()).get();
    if (strategy_ == nullptr) strategy_ = (parts_->own_strategy = make_strategy(settings)).get();
    parts_->pool = std::make_unique<WorkerPool>(self(), *strategy_);
    register_stuck_report(*this);
}

SchedulerBase::~SchedulerBase() { unregister_stuck_report(*this); }

void SchedulerBase::require_own_thread(const Task& task) {
    if (task.bound && &task.sched->parts_->own != kit::thread_state().scheduler)
        kit::refuse(kit::MisuseKind::bound_to_thread, task.core());
}

Scheduler* SchedulerBase::here() noexcept {
    const Machine* machine = machine_here();
    return machine == nullptr ? nullptr : machine->sched;
}

std::size_t SchedulerBase::alive() const noexcept { return parts_->alive.load(std::memory_order_relaxed); }
const Settings& SchedulerBase::settings() const noexcept { return parts_->settings; }
Task* SchedulerBase::running() const noexcept { return parts_->own.running; }
unsigned SchedulerBase::machine() const noexcept { return parts_->own.index; }
WorkerPool& SchedulerBase::shared() noexcept { return *parts_->pool; }
Scheduler& SchedulerBase::self() noexcept { return static_cast<Scheduler&>(*this); }

Scheduler::Scheduler() : Scheduler(Settings{}) {}

Scheduler::Scheduler(const Settings& settings)
    : SchedulerBase(settings, nullptr, 0, settings.source),
      ready_("ready"),
      sleeping_(settings.sleep_by),
      waiting_(settings.wait_by) {
    if (kit::this_thread().scheduler != nullptr)
        throw std::logic_error("this thread has a scheduler already; it can have only one");
    strategy_->on_attach(*this);
    kit::this_thread().scheduler = &parts_->own;
}

Scheduler::Scheduler(Scheduler& first, unsigned machine, EventSource& source)
    : SchedulerBase(first.settings(), &first, machine, &source),
      ready_("ready"),
      sleeping_(first.settings().sleep_by),
      waiting_(first.settings().wait_by) {}

Scheduler::~Scheduler() {
    void* const before = std::exchange(kit::this_thread().scheduler, &parts_->own);
    strategy_->on_detach(*this);
    while (oldest_ != nullptr) unwind(*oldest_);
    parts_->own_strategy.reset();
    kit::thread_state().scheduler = before == &parts_->own ? nullptr : before;
}

// ---- tasks ---------------------------------------------------------------------------------------------------------

Scheduler& SchedulerBase::install() { return install({}); }
Scheduler& SchedulerBase::install(const Settings& settings) {
    kit::this_thread();  // before the next line, so that the thread's own context outlives its scheduler
    thread_local std::unique_ptr<Scheduler> of_the_thread;
    of_the_thread = std::make_unique<Scheduler>(settings);
    return *of_the_thread;
}

Task& SchedulerBase::make(Body&& body, Attributes&& attributes, const kit::CoroutineBackend& backend) {
    void* room = take_task_memory(size_with(backend));
    Task& task = *new (room) Task(self(), backend, kit::now());
    try {
        task.body = std::move(body);
        backend.create(
            &task + 1, [&task] { live(task); }, std::move(attributes));
    } catch (...) {
        task.~Task();
        give_task_memory(room, size_with(backend));
        throw;
    }
    return task;
}

void SchedulerBase::admit(Task& task) noexcept {
    task.before = youngest_;
    (youngest_ == nullptr ? oldest_ : youngest_->behind) = &task;
    youngest_ = &task;
    if (!task.system) parts_->alive.store(alive() + 1, std::memory_order_relaxed);
}

Handle SchedulerBase::go(Body body) { return go(std::move(body), {}, {}); }
Handle SchedulerBase::go(Body body, Attributes attributes) { return go(std::move(body), std::move(attributes), {}); }
Handle SchedulerBase::go(Body body, Attributes attributes, TaskOptions options) {
    Scheduler& chosen = strategy_->select_scheduler(self(), options.pinned);
    const kit::CoroutineBackend& backend = options.other == nullptr ? *backend_ : options.other->backend;
    Handle handle(chosen.make(strategy_->wrap_body(std::move(body)), std::move(attributes), backend));
    const SchedulerLock held(chosen.shared());
    chosen.begin(handle.task(), options);
    return handle;
}

void SchedulerBase::begin(Task& task, const TaskOptions& options) KIT_UNCHECKED {
    task.pinned = options.pinned;
    task.system = options.system;
    admit(task);
    try {
        if (options.other != nullptr) {
            task.switched_otherwise = true;
            options.other->prepare(task, options.other->with);
        }
        strategy_->make_new_ready(self(), task);
    } catch (...) {
        unlink(task);
        let_go(task);
        throw;
    }
    parts_->pool->tell_ready(task);
}

void SchedulerBase::hand_over(Task& next, State left, std::int64_t until, const char* reason) {
    parts_->own.running = &next;
    next.started = true;
    backend_->hand_over(next.core(), left, until, reason);
}

std::vector<Failure> SchedulerBase::run() {
    const kit::ThreadState& thread = kit::this_thread();
    if (thread.current != thread.own)
        kit::refuse(kit::MisuseKind::child_resumes, *thread.current, "run() must be called outside of tasks");
    strategy_->run(self());
    return std::exchange(parts_->failures, {});
}

void SchedulerBase::unlink(Task& task) noexcept {
    (task.before == nullptr ? oldest_ : task.before->behind) = task.behind;
    (task.behind == nullptr ? youngest_ : task.behind->before) = task.before;
    if (!task.system) parts_->alive.store(alive() - 1, std::memory_order_relaxed);
}

namespace {

constexpr Text kEnded("ended by an exception: {0}");  // a note

// Its memory is freed: a tree that still contained its node would have a dangling pointer.
void require_in_no_tree(Scheduler& sched, const Task& task) {
    const char* where = sched.sleeping().contains(task)  ? "sleeping"
                        : sched.waiting().contains(task) ? "waiting"
                                                         : nullptr;
    if (where != nullptr)
        kit::abort_because(
            message("'{0}' has ended, but is still in the tree '{1}': before it runs the loop calls remove "
                    "(sleep_tree.cpp), which takes it out of both trees",
                    task.core().name(), where));
}

}  // namespace

void SchedulerBase::handle_exit(Task& task) KIT_UNCHECKED {  // the lock is held if there are several machines
    require_in_no_tree(self(), task);
    try {
        task.backend->after_end(task.core());
    } catch (const std::exception& error) {
        parts_->failures.push_back({task.core().id(), task.core().name(), error.what(), message_of(error)});
    } catch (...) {
        const std::string what = message("something that is not a std::exception");
        parts_->failures.push_back({task.core().id(), task.core().name(), what, what});
    }
    const std::vector<Failure>& failures = parts_->failures;
    if (trace::recording() && !failures.empty() && failures.back().id == task.core().id())
        trace::record(kit::now(), trace::note_event(task.core().id()),
                      message(kEnded, Value::of(failures.back().message)));
    task.ended.store(true, std::memory_order_release);
    parts_->pool->wake_joiners(task);
    unlink(task);
    parts_->pool->tell_exit(task);
}

// No task is resumed any more; the sets are destroyed with the scheduler.
void SchedulerBase::unwind(Task& task) {
    Scheduler& sched = self();
    while (sched.ready().pop() != nullptr) {
    }
    if (task.status() == State::ready && !task.started) kit::set_state(task.core(), State::dead, Cause::stop);
    if (sched.sleeping().contains(task)) sched.sleeping().remove(task);
    if (sched.waiting().contains(task)) {
        sched.waiting().remove(task);
        sched.source().unwatch(task.fd, task.want);  // the source may outlive this scheduler
    }
    if (task.has_cold_state()) task.joining().reset();
    parts_->own.running = &task;
    task.backend->unwind(task.core());
    parts_->own.running = nullptr;
    task.ended.store(true, std::memory_order_release);
    unlink(task);
    let_go(task);
}

// ---- events ---------------------------------------------------------------------------------------------------------

bool SchedulerBase::wants_events() const noexcept {
    return !static_cast<const Scheduler*>(this)->waiting_.empty() || source_->has_other_listeners();
}

std::span<Event> SchedulerBase::ask_source(std::uint64_t until) { return source_->poll(until); }

std::span<const Event> SchedulerBase::seen(std::span<Event> events) {
    const std::uint64_t order = next_order();
    for (Event& event : events) event.order = order;
    parts_->prefetcher.expect(events);
    return events;
}

std::span<const Event> SchedulerBase::look() { return wants_events() ? seen(ask_source(0)) : std::span<const Event>(); }
std::span<const Event> SchedulerBase::wait_until(std::uint64_t until) { return seen(ask_source(until)); }

std::uint64_t SchedulerBase::read_clock(bool needed) noexcept {
    clock_looks_.store(clock_looks() + 1, std::memory_order_relaxed);
    return needed ? kit::now() : 0;
}

void SchedulerBase::throw_stuck() {
    Scheduler* const alone = &self();
    throw Stuck(describe_stuck({&alone, 1}));
}

std::string SchedulerBase::describe_stuck(std::span<Scheduler* const> schedulers) {
    constexpr std::size_t kNamed = 5;
    std::string tasks;
    std::size_t n = 0;
    for (const Scheduler* one : schedulers)
        for (const Task* task = one->oldest_; task != nullptr; task = task->behind) {
            if (++n > kNamed) continue;
            const std::string why =
                message("'{0}' {1}", kit::name_value(task->core()), Value::of(why_not_running(*task)));
            tasks = n == 1 ? why : message("{0}, {1}", Value::of(tasks), Value::of(why));
        }
    if (n > kNamed) tasks = message("{0}, and {1} more", Value::of(tasks), n - kNamed);
    return n == 0 ? message("no task can ever run again")
                  : message("no task can ever run again: {0}", Value::of(tasks));
}

}  // namespace fiberscope::lab04
