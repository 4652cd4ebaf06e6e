#include "labs/04_scheduler/programs/written/run.h"

#include <deque>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/work.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04::written {

namespace {

constexpr int kFirstDescriptor = 5;                           // of the inputs, in the order of the file
constexpr std::size_t kMany = 1000, kSmallStack = 16 * 1024;  // with more tasks than kMany the stacks are small

/// Each signal releases one waiting task, now or later, in order of arrival.
class Signal {
  public:
    explicit Signal(const std::string& name) : reason_("the signal '" + name + "'") {}

    void send() {
        lock_.lock();
        Handle first;
        if (waiting_.empty()) {
            ++left_;
        } else {
            first = std::move(waiting_.front());
            waiting_.pop_front();
        }
        lock_.unlock();
        if (first) wake(first);
    }
    void wait() {
        lock_.lock();
        if (left_ > 0) {
            --left_;
            return lock_.unlock();
        }
        waiting_.emplace_back(running_task());
        park(reason_.c_str(), lock_);
    }

  private:
    const std::string reason_;
    kit::Lock lock_;  // the tasks may run on several machines
    std::uint64_t left_ KIT_GUARDED_BY(lock_) = 0;
    std::deque<Handle> waiting_ KIT_GUARDED_BY(lock_);
};

/// State shared by the tasks. Outlives the scheduler, which unwinds waiting tasks if no task can run any more.
struct World {
    World(const File& file, const RunOptions& run_options) : options(run_options) {
        for (const std::string& name : file.locks) locks.emplace_back(name);
        for (const std::string& name : file.signals) signals.emplace_back(name);
        for (std::size_t i = 0; i < file.inputs.size(); ++i)
            for (const std::uint64_t moment : file.inputs[i].moments)
                io.becomes_ready(kFirstDescriptor + static_cast<int>(i), Want::read, moment);
    }

    const RunOptions options;
    SimulatedSource io;
    std::deque<RWMutex> locks;
    std::deque<Signal> signals;
};

class Runner {
  public:
    Runner(World& world, std::uint64_t& worked, std::uint64_t number)
        : world_(world), worked_(worked), random_(world.options.seed * kMostTasks + number) {}

    void run(const Step* first, const Step* end) {
        for (const Step* step = first; step < end; ++step) {
            if (step->op != Op::repeat) {
                run(*step);
                continue;
            }
            for (std::uint64_t i = 0; i < step->low; ++i) run(step + 1, step + 1 + step->body);
            step += step->body;
        }
    }

  private:
    void run(const Step& step) {
        switch (step.op) {
        case Op::work: return work(chosen(step));
        case Op::sleep: return static_cast<void>(sleep_for(chosen(step)));
        case Op::yield: return yield();
        case Op::lock: return static_cast<void>(world_.locks[step.name].wlock());  // no task cancels another
        case Op::unlock: return world_.locks[step.name].wunlock();
        case Op::signal: return world_.signals[step.name].send();
        case Op::wait_signal: return world_.signals[step.name].wait();
        case Op::wait_input:
            return static_cast<void>(wait_readable(kFirstDescriptor + static_cast<int>(step.name), step.low));
        case Op::repeat: return;
        }
    }

    std::uint64_t chosen(const Step& step) {
        return step.low == step.high ? step.low : step.low + random_() % (step.high - step.low + 1);
    }

    void work(std::uint64_t ns) {
        const std::uint64_t piece = world_.options.quantum == 0 ? ns : world_.options.quantum;
        for (; ns > piece; ns -= piece) {
            compute(piece);
            yield();
        }
        compute(ns);
    }
    void compute(std::uint64_t ns) {
        kit::work(ns);
        worked_ += ns;
    }

    World& world_;
    std::uint64_t& worked_;
    std::mt19937_64 random_;
};

/// Starts the tasks of a line; their results are in `worked` from `place` on.
void go_all(const TaskLine& task, World& world, std::vector<std::uint64_t>& worked, std::size_t place) {
    for (std::uint64_t i = 0; i < task.count; ++i, ++place) {
        go(
            [&steps = task.steps, runner = Runner(world, worked[place], place)]() mutable {
                runner.run(steps.data(), steps.data() + steps.size());
            },
            {.name = task.count == 1 ? task.name : task.name + " " + std::to_string(i + 1),
             .stack_size = worked.size() > kMany ? kSmallStack : kit::kDefaultStackSize});
    }
}

}  // namespace

std::vector<std::uint64_t> run(const File& file, Settings settings, const RunOptions& options) {
    std::size_t tasks = 0;
    for (const TaskLine& task : file.tasks) tasks += task.count;
    std::vector<std::uint64_t> worked(tasks);
    World world(file, options);
    settings.source = &world.io;
    Scheduler scheduler(settings);
    std::size_t place = 0;
    for (const TaskLine& task : file.tasks) {
        go_all(task, world, worked, place);
        place += task.count;
    }
    const std::vector<Failure> failures = scheduler.run();
    if (!failures.empty())
        throw Spoken<std::runtime_error>(
            message("task '{0}' ended by: {1}", failures.front().task, Value::of(failures.front().message)));
    return worked;
}

}  // namespace fiberscope::lab04::written
