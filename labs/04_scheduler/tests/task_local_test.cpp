// Step 4.11: task-local values, and the environment of a task.
#include <array>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "labs/04_scheduler/tests/task_local.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/allocations.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.11 tasks that take turns each have a value of their own") {
    INFO("values are stored in the task: look them up in the running task");
    Scheduler sched;
    TaskLocal<std::string> user;
    Log log;
    for (const char* name : {"ann", "bob", "cid"})
        go([&, name] {
            *user = name;
            yield();
            log.push_back(*user);
        });
    run_ready(sched);
    CHECK(log == Log{"ann", "bob", "cid"});
}

TEST_CASE("4.11 a value is created at first use, once for each task that uses it") {
    INFO("find() only looks up; * creates the value if this task has none");
    Scheduler sched;
    int made = 0;
    TaskLocal<int> number([&] { return ++made; });
    Log log;
    bool before = true;
    go([] { yield(); }, "does not ask");
    for (int i = 0; i < 2; ++i)
        go([&] {
            before = before && number.find() == nullptr;
            for (int n = 0; n < 2; ++n) {
                log.push_back(std::to_string(*number));
                yield();
            }
        });
    run_ready(sched);
    CHECK(before);
    CHECK(log == Log{"1", "2", "1", "2"});
    CHECK(made == 2);
}

TEST_CASE("4.11 keys are distinct, and a new one has no value") {
    INFO("the key's index selects the slot; a new key has no value in any task");
    Scheduler sched;
    const Key a = create_key(), b = create_key();
    int one = 1, two = 2;
    bool apart = false, empty = false;
    go([&] {
        empty = get_specific(a) == nullptr && get_specific(b) == nullptr;
        set_specific(b, &two);
        set_specific(a, &one);
        yield();
        apart = get_specific(a) == &one && get_specific(b) == &two;
    });
    run_ready(sched);
    CHECK(empty);
    CHECK(apart);
    delete_key(a);
    delete_key(b);
}

TEST_CASE("4.11 outside of tasks the values are the thread's own, and end with the thread") {
    Scheduler sched;
    TaskLocal<Told> told([] { return Told("of the thread"); });
    *told;
    bool seen = true;
    go([&] { seen = told.find() != nullptr; });
    run_ready(sched);
    INFO("a task does not see the thread's value");
    CHECK_FALSE(seen);
    bool elsewhere = true;
    Log after;
    std::thread other([&] {
        elsewhere = told.find() != nullptr;
        *told;
        after = ends;
    });
    other.join();
    CHECK_FALSE(elsewhere);
    CHECK(after.empty());
    CHECK(ends == Log{"of the thread"});
    CHECK(told.find() != nullptr);
}

TEST_CASE("4.11 there are as many keys as the system gives its threads, and a deleted key is refused") {
    INFO("create_key throws EAGAIN when all are taken; delete_key raises the generation, and an old key is refused");
    std::vector<Key> keys;
    std::optional<std::system_error> refused;
    while (!refused && keys.size() <= kMostKeys) try {
            keys.push_back(create_key());
        } catch (const std::system_error& error) {
            refused = error;
        }
    CHECK(keys.size() == kMostKeys);
    REQUIRE(refused.has_value());
    CHECK(refused->code().value() == EAGAIN);
    delete_key(keys[500]);
    int value = 0;
    CHECK_THROWS_AS(set_specific(keys[500], &value), std::invalid_argument);
    const Key again = create_key();
    CHECK(again.index == keys[500].index);
    CHECK(again.generation != keys[500].generation);
    set_specific(again, &value);
    CHECK(get_specific(again) == &value);
    set_specific(again, nullptr);
}

TEST_CASE("4.11 values move with their tasks from machine to machine") {
    INFO("values are stored in the task, not in the machine");
    TaskLocal<int> number;
    std::atomic<int> lost{0}, moved{0};
    Scheduler sched(Settings{.strategy = "go", .machines = 4});
    for (int i = 0; i < 32; ++i)
        sched.go([&, i] {
            *number = i;
            for (int n = 0; n < 10; ++n) {
                const auto before = running_task().machine;
                kit::work(500);
                sleep_for(static_cast<std::uint64_t>(1000 + 700 * (i % 5)));
                if (running_task().machine != before) ++moved;
                if (*number != i) ++lost;
            }
        });
    CHECK(sched.run().empty());
    CHECK(moved > 0);
    INFO("ask this machine, not the scheduler, which task runs here");
    CHECK(lost == 0);
}

TEST_CASE("4.11 a task has slots for the keys that it sets, not for all keys") {
    INFO("a server has a million tasks: a table of all keys for each of them wastes memory");
    Scheduler sched;
    const Key key = create_key();
    std::size_t room = 0;
    go([&] {
        static int value = 0;
        set_specific(key, &value);
        room = locals_here().slots.size();
    });
    CHECK(sched.run().empty());
    delete_key(key);
    CHECK(room > key.index);
    CHECK(room <= 2 * (key.index + 1U));
}

TEST_CASE("4.11 a value accessed a thousand times allocates memory only the first time") {
    INFO("access the slots in place: a copy of them, or a new table, costs an allocation per access");
    record_nothing();
    Scheduler sched;
    const Key keys[] = {create_key(), create_key(), create_key()};
    constexpr int kTimes = 1'000;
    std::size_t asked = 99;
    int found = 0;
    go([&] {
        const std::size_t before = kit::testing::allocations();
        for (int i = 0; i < kTimes; ++i)
            for (const Key& key : keys) {
                set_specific(key, &found);
                if (get_specific(key) == &found) ++found;
            }
        asked = kit::testing::allocations() - before;
    });
    CHECK(sched.run().empty());
    for (const Key& key : keys) delete_key(key);
    CHECK(found == 3 * kTimes);
    CHECK(asked <= 12);  // one table, which may grow for each of the three keys
}

// ---- the environment ------------------------------------------------------------------------------------------------

namespace {

const std::array<const char*, 2> kOwn = {"FIBERSCOPE_USER", "FIBERSCOPE_PAGE"};

std::string variable(const char* name) {
    const char* value = task_getenv(name);
    return value == nullptr ? "nothing" : value;
}

}  // namespace

TEST_CASE("4.11 a declared variable is separate for each task, and unset until the task sets it") {
    INFO("look up names declared with own_environment in the task first");
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
    INFO("outside of tasks it is the process's variable");
    CHECK(variable("FIBERSCOPE_USER") == "of the process");
    CHECK(std::getenv("FIBERSCOPE_USER") == std::string("of the process"));
}

TEST_CASE("4.11 before any name is declared, a task's lookup of a variable returns the process's") {
    EXPECTS("as long as no name is declared, every variable is the process's: there is no list of names yet");
    setenv("FIBERSCOPE_SHARED", "of the process", 1);
    Scheduler sched;
    Log log;
    go([&] { log.push_back(variable("FIBERSCOPE_SHARED")); });
    run_ready(sched);
    CHECK(log == Log{"of the process"});
    unsetenv("FIBERSCOPE_SHARED");
}

TEST_CASE("4.11 own variables are set, kept, overwritten and unset as by setenv and unsetenv") {
    INFO("as with setenv: without `overwrite` an existing value stays");
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
    INFO("the process's variable of the same name is independent");
    CHECK(std::string(std::getenv("FIBERSCOPE_USER")) == "root");
    ::unsetenv("FIBERSCOPE_USER");
}
