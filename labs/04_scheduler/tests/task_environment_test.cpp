// Step 4.11: the environment of one task alone.
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <system_error>

#include "labs/04_scheduler/task_local.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

const std::array<const char*, 2> kOwn = {"FIBERSCOPE_USER", "FIBERSCOPE_PAGE"};

std::string variable(const char* name) {
    const char* value = task_getenv(name);
    return value == nullptr ? "nothing" : value;
}

}  // namespace

TEST_CASE("4.11 a declared variable is each task's own, and nothing until the task sets it") {
    INFO("the names that own_environment has declared are looked up in the task first");
    own_environment(kOwn);
    setenv("FIBERSCOPE_USER", "of the process", 1);
    Scheduler sched;
    Log log;
    for (const char* name : {"ann", "bob"})
        go([&, name] {
            log.push_back(variable("FIBERSCOPE_USER"));
            task_setenv("FIBERSCOPE_USER", name);
            yield();
            log.push_back(variable("FIBERSCOPE_USER"));
            log.push_back(variable("FIBERSCOPE_PAGE"));
        });
    run_ready(sched);
    CHECK(log == Log{"nothing", "nothing", "ann", "nothing", "bob", "nothing"});
    INFO("outside of tasks it is the process's");
    CHECK(variable("FIBERSCOPE_USER") == "of the process");
    CHECK(std::getenv("FIBERSCOPE_USER") == std::string("of the process"));
}

TEST_CASE("4.11 other variables are the process's, for all tasks") {
    INFO("a name that was not declared goes to setenv and getenv of the process");
    own_environment(kOwn);
    Scheduler sched;
    Log log;
    go([&] { task_setenv("FIBERSCOPE_SHARED", "a"); });
    go([&] {
        log.push_back(variable("FIBERSCOPE_SHARED"));
        task_setenv("FIBERSCOPE_SHARED", "b", false);
        log.push_back(variable("FIBERSCOPE_SHARED"));
        task_unsetenv("FIBERSCOPE_SHARED");
    });
    run_ready(sched);
    CHECK(log == Log{"a", "a"});
    CHECK(std::getenv("FIBERSCOPE_SHARED") == nullptr);
    CHECK_THROWS_AS(task_setenv("", "x"), std::system_error);
}

TEST_CASE("4.11 a task asks for a variable before any name is declared: it is the process's") {
    EXPECTS("as long as no name is declared, every variable is the process's: there is no list of names then");
    setenv("FIBERSCOPE_SHARED", "of the process", 1);
    Scheduler sched;
    Log log;
    go([&] { log.push_back(variable("FIBERSCOPE_SHARED")); });
    run_ready(sched);
    CHECK(log == Log{"of the process"});
    unsetenv("FIBERSCOPE_SHARED");
}

TEST_CASE("4.11 an own variable is set, kept, overwritten and taken away as by setenv and unsetenv") {
    INFO("as setenv does: without overwriting, a value that is set stays");
    own_environment(kOwn);
    ::setenv("FIBERSCOPE_USER", "root", 1);
    Scheduler sched;
    Log log;
    go([&] {
        task_unsetenv("FIBERSCOPE_USER");
        for (const char* name : {"ann", "bob"}) {
            task_setenv("FIBERSCOPE_USER", name, false);
            log.push_back(variable("FIBERSCOPE_USER"));
        }
        task_setenv("FIBERSCOPE_USER", "cid");
        log.push_back(variable("FIBERSCOPE_USER"));
        task_unsetenv("FIBERSCOPE_USER");
        log.push_back(variable("FIBERSCOPE_USER"));
    });
    run_ready(sched);
    CHECK(log == Log{"ann", "ann", "cid", "nothing"});
    INFO("the process's variable of the same name is another one");
    CHECK(std::string(std::getenv("FIBERSCOPE_USER")) == "root");
    ::unsetenv("FIBERSCOPE_USER");
}

TEST_CASE("4.11 the names are declared once, and must be names") {
    INFO("an empty name and one with '=' are refused, and so is a second declaration");
    const std::array<const char*, 1> empty = {""}, assignment = {"A=B"};
    CHECK_THROWS_AS(own_environment(empty), std::invalid_argument);
    std::string name = "FIBERSCOPE_USER";
    const std::array<const char*, 1> names = {name.c_str()};
    {
        INFO("look at all names before you declare them: after a refusal nothing is declared yet");
        CHECK_THROWS_AS(own_environment(assignment), std::invalid_argument);
        CHECK_NOTHROW(own_environment(names));
    }
    name = "something else";
    CHECK_THROWS_AS(own_environment(kOwn), std::logic_error);
    Scheduler sched;
    go([] { task_setenv("FIBERSCOPE_USER", "ann"); });
    run_ready(sched);
    INFO("the names are copied");
    CHECK(std::getenv("FIBERSCOPE_USER") == nullptr);
}
