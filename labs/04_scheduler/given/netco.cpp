// Given for netco's processors: their creation, common start, and end.
#include "labs/04_scheduler/netco.h"
#include "labs/kit/run/trace.h"
#include "languages/spoken_error.h"

#include <stdexcept>

namespace fiberscope::lab04 {

namespace {
constexpr kit::CodeRow kNetco[] = {
    {"program", "", "4.7", "exercise/netco.cpp"},
    {"taken", "expired", "4.7", "exercise/netco.cpp", "void Netco::work(", "expired.pop()"},
    {"taken", "new", "4.7", "exercise/netco.cpp", "void Netco::work(", "fresh.pop()"},
    {"taken", "active", "4.7", "exercise/netco.cpp", "void Netco::work(", "ready().pop()"},
};
}  // namespace

extern "C" {
KnownStrategy fiberscope_strategy_netco(
    {.name = "netco",
     .make = &KnownStrategy::make<Netco>,
     .machines = true,
     .rule = mark("each processor runs those that have expired, then the new ones, then the active ones"),
     .code = kNetco});
}

Processor::Processor(Scheduler& scheduler, unsigned index)
    : sched(&scheduler),
      expired("expired"),
      fresh{ReadyQueue("new"), ReadyQueue("new")},
      removed("removed", trace::Role::removed) {
    sched->ready().belongs_to(index, kit::set_name("active of processor {0}", index));
    sched->sleeping().belongs_to(index, kit::set_name("sleeping of processor {0}", index));
    sched->waiting().belongs_to(index, kit::set_name("waiting of processor {0}", index));
    expired.belongs_to(index, kit::set_name("expired of processor {0}", index));
    for (std::size_t i : {0U, 1U})
        fresh[i].belongs_to(index, kit::set_name("new of processor {0}, buffer {1}", index, i));
    removed.belongs_to(index, kit::set_name("removed of processor {0}", index));
    for (ReadyQueue* queue : {&expired, &fresh[0], &fresh[1], &removed}) queue->guarded_by(&sched->shared().lock());
}

// The schedulers must be destroyed before the processors, whose queues may contain some of their tasks.
Netco::~Netco() {
    while (!schedulers_.empty()) schedulers_.pop_back();
}

void Netco::on_attach(Scheduler& first) {
    processors_.push_back(std::make_unique<Processor>(first, 0));
    for (unsigned i = 1; i < first.settings().machines; ++i) {
        sources_.push_back(first.source().another());
        if (sources_.back() == nullptr)
            throw Spoken<std::invalid_argument>(message(
                "this source of events serves one processor only; {0} were requested", first.settings().machines));
        schedulers_.push_back(first.shared().another(i, *sources_.back()));
        processors_.push_back(std::make_unique<Processor>(*schedulers_.back(), i));
    }
    SharedStrategy::on_attach(first);
}

void Netco::on_detach(Scheduler& scheduler) {
    SharedStrategy::on_detach(scheduler);
    Processor& processor = of(scheduler);
    for (ReadyQueue* queue : {&processor.expired, &processor.fresh[0], &processor.fresh[1]})
        while (Task* task = queue->pop()) scheduler.ready().push(*task);
    while (Task* task = processor.removed.pop()) scheduler.shared().release(*task);
}

bool Netco::has_work(WorkerPool& sched, const Machine&) { return alive_ == 0 || of(sched).anyone_ready(); }

void Netco::run(Scheduler& first) {
    kit::name_object(&alive_, "the number of tasks of all processors");
    std::vector<Scheduler*> all;
    for (const auto& processor : processors_) all.push_back(processor->sched);
    first.shared().run_on_machines(all, static_cast<unsigned>(all.size()), [this](Machine& machine) { work(machine); });
    for (const auto& scheduler : schedulers_) first.shared().adopt_failures(*scheduler);
}

std::string Netco::work_for(WorkerPool& sched, unsigned) {
    Processor& one = of(sched);
    for (const ReadyQueue* queue : {&one.expired, &one.fresh[0], &one.fresh[1], &one.sched->ready()})
        if (!queue->empty()) return "'" + queue->front()->core().name() + "' is ready on its processor";
    return {};
}

Processor& Netco::named(int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= processors_.size())
        throw Spoken<std::invalid_argument>(
            message("there is no processor {0}; there are {1}, from 0 on", index, processors_.size()));
    return *processors_[static_cast<std::size_t>(index)];
}

std::size_t Netco::load(const Processor& processor) { return processor.sched->alive(); }

bool Netco::keeps(const Scheduler& here) {
    const Machine* machine = machine_here();
    return here.is_shared() && machine != nullptr && machine->sched == &here && !WorkerPool::worth_helping(*machine);
}

void Netco::wake_all() {
    for (const auto& processor : processors_) {
        WorkerPool& sched = processor->sched->shared();
        const SchedulerLock held(sched);
        sched.unpark_all();
    }
}

}  // namespace fiberscope::lab04
