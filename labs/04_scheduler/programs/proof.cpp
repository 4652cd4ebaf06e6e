// What the grader asks of lab 04: what the workloads give under a seed, by each strategy. See labs/kit/testing/proof.h.
#include "labs/04_scheduler/workloads.h"

#include "labs/04_scheduler/scheduler.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/proof.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using kit::testing::Numbers;

namespace {

void run(const char* name, const char* strategy, unsigned machines, Numbers& numbers) {
    kit::testing::use_virtual_time();
    SimulatedSource io;
    Settings settings;
    settings.strategy = strategy;
    settings.source = &io;
    settings.machines = machines;
    settings.seed = numbers.next();
    Scheduler scheduler(settings);
    Stage stage{io, numbers.next()};
    const Results results = workload(name).run(stage);
    for (std::size_t i = 0; i < results.size(); ++i) kit::testing::answer(name, i, results[i]);
}

void by(const char* strategy, unsigned machines, Numbers& numbers) {
    for (const char* name : {"mixed", "fanout", "pipeline"}) run(name, strategy, machines, numbers);
}

void producer_consumer(Numbers& numbers) { by("producer_consumer", 1, numbers); }
void multi_state(Numbers& numbers) { by("multi_state", 1, numbers); }
void libco(Numbers& numbers) { by("libco", 1, numbers); }
void sylar(Numbers& numbers) { by("sylar", 2, numbers); }
void netco(Numbers& numbers) { by("netco", 2, numbers); }
void go(Numbers& numbers) { by("go", 3, numbers); }

constexpr kit::testing::Question kQuestions[] = {{"producer_consumer", producer_consumer},
                                                 {"multi_state", multi_state},
                                                 {"libco", libco},
                                                 {"sylar", sylar},
                                                 {"netco", netco},
                                                 {"go", go}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
