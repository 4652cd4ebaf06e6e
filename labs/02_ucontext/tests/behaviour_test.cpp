// Step 2.2: behaviour shared by the coroutines of all labs; the tests are in labs/kit/testing/behaviour_*.h.
#include <thread>

#include "labs/02_ucontext/coroutine.h"

namespace under_test = fiberscope::lab02;
#define FIBERSCOPE_STEP_RESUME "2.2"
#define FIBERSCOPE_STEP_END "2.2"
#define FIBERSCOPE_STEP_EXCEPTIONS "2.2"
// In the order of the steps. Separate blocks keep clang-format from sorting the includes.
#include "labs/kit/testing/behaviour_resume.h"

#include "labs/kit/testing/behaviour_limit.h"

#include "labs/kit/testing/behaviour_left.h"

#include "labs/kit/testing/behaviour_locals.h"

#include "labs/kit/testing/behaviour_end.h"

#include "labs/kit/testing/behaviour_thrown.h"

#include "labs/kit/testing/behaviour_under_way.h"

#include "labs/kit/testing/behaviour_private.h"

TEST_CASE("2.2 a job that is being unwound keeps no exception, whatever its function throws") {
    INFO("no resumer rethrows the exception of a coroutine being destroyed: keep it only if the job is not unwinding");
    bool ran = false;
    lab02::Job job([&] {
        ran = true;
        throw std::runtime_error("instead of the unwinding");
    });
    job.begin_unwinding();
    job.run();
    CHECK(ran);
    CHECK_NOTHROW(job.rethrow_failure());
}

TEST_CASE("2.2 a job checks whether it is being unwound after its function has thrown, not before") {
    INFO("a coroutine that is destroyed is in the middle of run, and unwinding begins then: check in the catch block");
    bool ran = false;
    lab02::Job* self = nullptr;
    lab02::Job job([&] {
        ran = true;
        self->begin_unwinding();
        self->stop_if_unwinding();
    });
    self = &job;
    job.run();
    CHECK(ran);
    CHECK_NOTHROW(job.rethrow_failure());
}

TEST_CASE("2.2 a coroutine that continues on a second thread is not stopped while the first unwinds another one") {
    EXPECTS("after the switch, check the coroutine that yielded, and do not use a stack of callers obtained before it");
    bool went_on = false;
    Coroutine& moves = forever([&] {
        yield();
        went_on = true;
        yield_for_ever();
    });
    moves.resume();
    struct ResumesElsewhere {
        Coroutine& other;
        ~ResumesElsewhere() {
            std::thread([this] { other.resume(); }).join();
        }
    };
    {
        Coroutine unwound([&] {
            const ResumesElsewhere local{moves};
            yield();
        });
        unwound.resume();
    }
    CHECK(went_on);
}
