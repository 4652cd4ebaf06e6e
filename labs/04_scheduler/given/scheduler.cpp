// What lab 04 gives: the lives of tasks, what they call while they are parked, and what the scheduler does besides the
// sets.
#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "labs/04_scheduler/event_loop.h"
#include "labs/04_scheduler/go_scheduler.h"
#include "labs/04_scheduler/netco.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/sylar.h"
#include "labs/04_scheduler/task_local.h"
#include "labs/kit/errors.h"
#include "labs/kit/trace.h"

namespace fiberscope::lab04 {

namespace {

void* room_for_task(const kit::CoroutineBackend& backend) {
    return ::operator new(sizeof(Task) + backend.size, std::align_val_t(alignof(Task)));
}
void free_room(void* room) noexcept { ::operator delete(room, std::align_val_t(alignof(Task))); }

std::string sleep_key(const Task& task) { return std::to_string(task.deadline) + " ns"; }

void destroy(Task& task) {
    task.backend->destroy(task.core());
    task.~Task();
    free_room(&task);
}

void let_go(Task& task) noexcept {
    if (task.holders.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(task);
}

}  // namespace

Task::Task(Scheduler& scheduler, const kit::CoroutineBackend& switching, std::uint64_t now) noexcept
    : birth(now), backend(&switching), sched(&scheduler) {}

Handle::~Handle() {
    if (task_ != nullptr) let_go(*task_);
}

// ---- the scheduler -------------------------------------------------------------------------------------------------------

Scheduler::Scheduler(const Settings& settings)
    : backend_(settings.backend),
      ready_("ready"),
      sleeping_(SleepTree::keyed<&sleep_key>("sleeping", trace::Role::sleep, "deadline, ns")),
      waiting_(settings.wait_by),
      birth_(kit::now()),
      own_source_(settings.source == nullptr ? std::make_unique<SimulatedSource>() : nullptr),
      source_(settings.source == nullptr ? own_source_.get() : settings.source),
      own_strategy_(make_strategy(settings)),
      strategy_(own_strategy_.get()),
      settings_(settings) {
    if (kit::this_thread().scheduler != nullptr)
        throw std::logic_error("this thread has a scheduler already; it can have only one");
    strategy_->on_attach(*this);
    kit::this_thread().scheduler = &own_;
}

Scheduler::Scheduler(Scheduler& first, unsigned machine, EventSource& source)
    : backend_(first.backend_),
      own_{this, machine},
      ready_("ready"),
      sleeping_(SleepTree::keyed<&sleep_key>("sleeping", trace::Role::sleep, "deadline, ns")),
      waiting_(first.settings_.wait_by),
      birth_(kit::now()),
      source_(&source),
      strategy_(first.strategy_),
      settings_(first.settings_) {}

Scheduler::~Scheduler() {
    void* const before = std::exchange(kit::this_thread().scheduler, &own_);
    strategy_->on_detach(*this);
    while (oldest_ != nullptr) unwind(*oldest_);
    own_strategy_.reset();
    kit::thread_state().scheduler = before == &own_ ? nullptr : before;
}

Scheduler& Scheduler::install(const Settings& settings) {
    kit::this_thread();  // before the next line, so that the thread's own context outlives its scheduler
    thread_local std::unique_ptr<Scheduler> of_the_thread;
    of_the_thread = std::make_unique<Scheduler>(settings);
    return *of_the_thread;
}

Task& Scheduler::make(Body&& body, Attributes&& attributes) {
    void* room = room_for_task(*backend_);
    Task& task = *new (room) Task(*this, *backend_, kit::now());
    try {
        task.body = std::move(body);
        backend_->create(
            &task + 1, [&task] { live(task); }, std::move(attributes));
    } catch (...) {
        task.~Task();
        free_room(room);
        throw;
    }
    return task;
}

void Scheduler::admit(Task& task) noexcept {
    task.before = youngest_;
    (youngest_ == nullptr ? oldest_ : youngest_->behind) = &task;
    youngest_ = &task;
    if (!task.system) alive_.store(alive() + 1, std::memory_order_relaxed);
}

Handle Scheduler::go(Body body, Attributes attributes, TaskOptions options) {
    Scheduler& home = strategy_->select_scheduler(*this, options.pinned);
    Handle handle(home.make(strategy_->wrap_body(std::move(body)), std::move(attributes)));
    const Held held = home.hold();
    home.begin(handle.task(), options);
    return handle;
}

Handle Scheduler::go_held(Body body, Attributes attributes) {
    Handle handle(make(strategy_->wrap_body(std::move(body)), std::move(attributes)));
    begin(handle.task(), {});
    return handle;
}

void Scheduler::begin(Task& task, TaskOptions options) {
    task.pinned = options.pinned;
    task.system = options.system;
    admit(task);
    strategy_->enqueue_new(*this, task);
    strategy_->on_ready(*this, task);
}

void Scheduler::adopt_failures(Scheduler& other) {
    std::ranges::move(std::exchange(other.failures_, {}), std::back_inserter(failures_));
}

std::vector<Failure> Scheduler::run() {
    const kit::ThreadState& thread = kit::this_thread();
    if (thread.current != thread.own)
        kit::refuse(kit::MisuseKind::child_resumes, *thread.current, "run() is the thread's");
    strategy_->run(*this);
    return std::exchange(failures_, {});
}

bool Scheduler::wake_and_notify(Task& task, Wake how, Cause cause) {
    if (shared_ && !task.wakeable) return false;
    task.wakeable = false;
    if (!wake(task, how, cause)) return false;
    strategy_->on_ready(*this, task);
    return true;
}

void Scheduler::wake_to_queue(ReadyQueue& queue, Task& task, Wake wake, Cause cause) {
    task.wakeable = false;
    remove(task, wake);
    kit::set_state(task.core(), State::ready, cause);
    queue.push(task);
}

void Scheduler::release(Task& task) noexcept { let_go(task); }

void Scheduler::unlink(Task& task) noexcept {
    (task.before == nullptr ? oldest_ : task.before->behind) = task.behind;
    (task.behind == nullptr ? youngest_ : task.behind->before) = task.before;
    if (!task.system) alive_.store(alive() - 1, std::memory_order_relaxed);
}

void Scheduler::handle_exit(Task& task) {
    try {
        backend_->after_end(task.core());
    } catch (const std::exception& error) {
        failures_.push_back({task.core().id(), task.core().name(), error.what()});
    } catch (...) {
        failures_.push_back({task.core().id(), task.core().name(), "something that is no std::exception"});
    }
    if (trace::recording() && !failures_.empty() && failures_.back().id == task.core().id())
        trace::record(kit::now(), trace::note_event(task.core().id()),
                      "ended by an exception: " + failures_.back().what);
    task.ended.store(true, std::memory_order_release);
    for (Handle& joiner : std::exchange(task.joining, {}))
        if (joiner.task().sched == this)
            wake_and_notify(joiner.task(), Wake::event, Cause::signal);
        else
            remote_joiners_.push_back(std::move(joiner));
    unlink(task);
    strategy_->on_exit(*this, task);
}

// Nobody is resumed any more: the sets are dropped with the scheduler.
void Scheduler::unwind(Task& task) {
    while (ready_.pop() != nullptr) {
    }
    if (task.status() == State::ready && !task.entered) kit::set_state(task.core(), State::dead, Cause::stop);
    if (sleeping_.contains(task)) sleeping_.remove(task);
    if (waiting_.contains(task)) waiting_.remove(task);
    task.joining.clear();
    own_.running = &task;
    backend_->unwind(task.core());
    own_.running = nullptr;
    task.ended.store(true, std::memory_order_release);
    unlink(task);
    let_go(task);
}

// ---- events --------------------------------------------------------------------------------------------------------------

namespace {
void record_events(std::size_t count) {
    trace::record(kit::now(),
                  trace::poll_event(trace::PollPhase::leave, trace::kAbsent, static_cast<std::uint32_t>(count)));
}
}  // namespace

std::span<Event> Scheduler::look_for_events() {
    const std::span<Event> events = source_->wait(0);
    if (trace::recording() && !events.empty()) {
        trace::record(kit::now(), trace::poll_event(trace::PollPhase::enter, 0));
        record_events(events.size());
    }
    return events;
}

std::span<Event> Scheduler::wait_for_events(std::uint64_t until) {
    const std::uint64_t now = kit::now();
    const auto timeout = until == kNever ? -1 : static_cast<std::int64_t>(until > now ? until - now : 0);
    if (trace::recording()) trace::record(now, trace::poll_event(trace::PollPhase::enter, timeout));
    const std::span<Event> events = source_->wait(until);
    if (trace::recording()) record_events(events.size());
    return events;
}

std::span<const Event> Scheduler::poll() {
    if (alive() == 0) return {};
    if (!ready_.empty() && !wants_events()) return {};  // nobody asks, and nobody has time to wait
    throw_if_stuck();
    prefetcher_.expect({});
    const std::span<Event> events = ready_.empty() ? wait_for_events(first_deadline()) : look_for_events();
    const std::uint64_t seen = next_order();
    for (Event& event : events) event.order = seen;
    prefetcher_.expect(events);
    return events;
}

std::uint64_t Scheduler::first_deadline() const noexcept {
    const Task* first = sleeping_.first();
    return first == nullptr ? kNever : first->deadline;
}

bool Scheduler::would_wait_forever() const { return first_deadline() == kNever && !source_->expects_any(); }

std::string Scheduler::describe_stuck(std::span<Scheduler* const> schedulers) {
    constexpr std::size_t kNamed = 5;
    std::string words = "no task can ever run again";
    std::size_t n = 0;
    for (const Scheduler* one : schedulers)
        for (const Task* task = one->oldest_; task != nullptr; task = task->behind)
            if (++n <= kNamed) words += (n == 1 ? ": '" : ", '") + task->core().name() + "' " + why_not_running(*task);
    return n > kNamed ? words + ", and " + std::to_string(n - kNamed) + " more" : words;
}

// ---- strategies ----------------------------------------------------------------------------------------------------------

Scheduler& Strategy::select_scheduler(Scheduler& here, int) { return here; }
Body Strategy::wrap_body(Body body) { return body; }
void Strategy::enqueue_new(Scheduler& scheduler, Task& task) { scheduler.make_ready(task, Cause::spawned); }
void Strategy::on_ready(Scheduler&, const Task&) {}
void Strategy::on_deadline(Scheduler& scheduler, Task& task) {
    scheduler.wake_and_notify(task, Wake::timeout, Cause::deadline);
}
void Strategy::on_exit(Scheduler& scheduler, Task& task) { scheduler.release(task); }
void Strategy::on_attach(Scheduler&) {}
void Strategy::on_detach(Scheduler&) {}

namespace {
constexpr const char* kStrategies[] = {"producer_consumer", "multi_state", "libco", "sylar", "netco", "go"};
}

std::span<const char* const> strategy_names() noexcept { return kStrategies; }

std::unique_ptr<Strategy> make_strategy(const Settings& settings) {
    const std::string_view name = settings.strategy;
    if (name == "producer_consumer") return std::make_unique<ProducerConsumer>();
    if (name == "multi_state") return std::make_unique<MultiState>();
    if (name == "sylar") return std::make_unique<Sylar>();
    if (name == "go") return std::make_unique<GoScheduler>(settings.machines);
    if (name == "libco") return std::make_unique<EventLoop>();
    if (name == "netco") return std::make_unique<Netco>();
    std::string known;
    for (const char* one : kStrategies) known += (known.empty() ? "" : ", ") + std::string(one);
    throw std::invalid_argument("there is no strategy '" + std::string(name) + "'; there are: " + known);
}

}  // namespace fiberscope::lab04
