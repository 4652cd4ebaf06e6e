// Step 4.11: values of one task alone.
#include <atomic>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "labs/04_scheduler/task_local.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

Log ends;  // of values, in order

/// Tells when it is destroyed.
struct Told {
    std::string name;
    explicit Told(std::string given) : name(std::move(given)) {}
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;
    ~Told() { ends.push_back(name); }
};

void tell_end(void* value) { ends.emplace_back(static_cast<const char*>(value)); }
void* word(const char* text) { return const_cast<char*>(text); }

/// A coroutine that is no task: the task that runs here resumes it.
void run_nested(Body body) {
    const kit::CoroutineBackend& backend = kit::asm_backend;
    const std::unique_ptr<std::byte[]> room(new std::byte[backend.size]);
    kit::Core& nested = backend.create(room.get(), std::move(body), {});
    kit::resume(backend, nested);
    backend.destroy(nested);
}

}  // namespace

TEST_CASE("4.11 tasks that take turns each have a value of their own") {
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

TEST_CASE("4.11 a value is made at first use, once for each task that asks") {
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

TEST_CASE("4.11 keys are told apart, and nothing is under a new one") {
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

TEST_CASE("4.11 outside of tasks it is the thread's own, and ends with the thread") {
    Scheduler sched;
    TaskLocal<Told> told([] { return Told("of the thread"); });
    *told;
    bool seen = true;
    go([&] { seen = told.find() != nullptr; });
    run_ready(sched);
    INFO("a task does not see what the thread has");
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

TEST_CASE("4.11 values go at the end of their task, the one that was set last first, before a joiner goes on") {
    Scheduler sched;
    TaskLocal<Told> first([] { return Told("first"); }), second([] { return Told("second"); }),
        third([] { return Told("third"); });
    Log seen;
    const Handle owner = go(
        [&] {
            const Told local("the local");
            *third;
            *first;
            *second;
            yield();
        },
        "owner");
    go(
        [&] {
            join(owner);
            seen = ends;
        },
        "joiner");
    run_ready(sched);
    CHECK(ends == Log{"the local", "second", "first", "third"});
    CHECK(seen == ends);
}

TEST_CASE("4.11 values go when the task ends by an exception, and when it is unwound with its scheduler") {
    use_virtual_time();
    TaskLocal<Told> told([] { return Told(running_task().core().name()); });
    std::vector<Failure> failures;
    {
        Scheduler sched;
        go(
            [&] {
                *told;
                throw std::runtime_error("no more flour");
            },
            "baker");
        go(
            [&] {
                *told;
                sleep_for(1'000'000);
            },
            "sleeper");
        go([&] { *told; }, "never ran");
        sched.resume(*sched.ready().pop());
        sched.resume(*sched.ready().pop());
        CHECK(ends == Log{"baker"});
    }
    CHECK(ends == Log{"baker", "sleeper"});
}

TEST_CASE("4.11 what runs at the end is a task still: a destructor may give way, and sees its task's values") {
    Scheduler sched;
    TaskLocal<std::string> user;
    struct Polite {
        TaskLocal<std::string>* user;
        ~Polite() {
            if (user == nullptr) return;
            yield();
            ends.push_back(**user);
        }
        explicit Polite(TaskLocal<std::string>* of) : user(of) {}
        Polite(Polite&& other) noexcept : user(std::exchange(other.user, nullptr)) {}
    };
    TaskLocal<Polite> polite([&] { return Polite(&user); });
    for (const char* name : {"ann", "bob"})
        go([&, name] {
            *user = name;
            *polite;
        });
    run_ready(sched);
    INFO("the older value is there as long as a younger one may use it");
    CHECK(ends == Log{"ann", "bob"});
}

TEST_CASE("4.11 a value that a destructor sets is destroyed too") {
    Scheduler sched;
    static Key late;
    late = create_key(tell_end);
    const Key key = create_key([](void* value) {
        tell_end(value);
        set_specific(late, word("late"));
    });
    go([&] { set_specific(key, word("early")); });
    run_ready(sched);
    CHECK(ends == Log{"early", "late"});
}

TEST_CASE(
    "4.11 a value is gone from its slot before it is destroyed, and one that is set again and again is given up") {
    Scheduler sched;
    static Key key;
    static int calls, seen;
    key = create_key([](void* value) {
        seen += get_specific(key) != nullptr ? 1 : 0;
        if (++calls < 1000) set_specific(key, value);
    });
    go([&] { set_specific(key, word("phoenix")); });
    run_ready(sched);
    CHECK(seen == 0);
    CHECK(calls == static_cast<int>(kMostRounds));
}

TEST_CASE("4.11 a key in the place of an earlier one does not see its values; they are destroyed all the same") {
    Scheduler sched;
    const Key old = create_key(tell_end);
    Key next{};
    Log seen;
    bool there = true;
    go(
        [&] {
            set_specific(old, word("replaced"));
            yield();
            there = get_specific(next) != nullptr;
            set_specific(next, word("new"));
            seen = ends;
        },
        "uses both");
    go(
        [&] {
            set_specific(old, word("kept to the end"));
            yield();
        },
        "uses the old one");
    sched.resume(*sched.ready().pop());
    sched.resume(*sched.ready().pop());
    delete_key(old);
    next = create_key(tell_end);
    CHECK(next.index == old.index);
    run_ready(sched);
    CHECK_FALSE(there);
    CHECK(seen == Log{"replaced"});
    CHECK(ends == Log{"replaced", "new", "kept to the end"});
}

TEST_CASE("4.11 there are as many keys as the system gives its threads, and one that was given back is refused") {
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

TEST_CASE("4.11 a value whose making gives way is still made once in each task") {
    Scheduler sched;
    int made = 0;
    TaskLocal<int> slow([&] {
        yield();
        return ++made;
    });
    Log log;
    for (int i = 0; i < 3; ++i) go([&] { log.push_back(std::to_string(*slow + 10 * *slow)); });
    run_ready(sched);
    CHECK(log == Log{"11", "22", "33"});
}

TEST_CASE("4.11 a coroutine that a task resumes itself sees the task's values") {
    Scheduler sched;
    TaskLocal<std::string> user;
    Log log;
    for (const char* name : {"ann", "bob"})
        go([&, name] {
            *user = name;
            yield();
            run_nested([&] {
                log.push_back(*user);
                *user += "'s generator";
            });
            log.push_back(*user);
        });
    run_ready(sched);
    CHECK(log == Log{"ann", "ann's generator", "bob", "bob's generator"});
}

TEST_CASE("4.11 a value goes with its task to another thread, and back") {
    Scheduler here;
    TaskLocal<std::string> user;
    Log log;
    const auto note = [&] { log.push_back(*user); };
    const Handle traveller = go(
        [&] {
            *user = "ann";
            const std::string& kept = *user;
            yield();
            note();  // there
            *user += " was there";
            yield();
            note();
            log.push_back(kept);
        },
        "traveller");
    here.resume(*here.ready().pop());
    Task& task = *here.ready().pop();
    std::thread other([&] {
        Scheduler there;
        *user = "of the other thread";
        there.resume(task);
        there.ready().pop();
        note();
    });
    other.join();
    here.resume(task);
    CHECK(log == Log{"ann", "of the other thread", "ann was there", "ann was there"});
    CHECK(traveller.done());
}

TEST_CASE("4.11 values go with their tasks from machine to machine") {
    use_virtual_time();
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
    INFO("which task runs here is a question to this machine, and not to the scheduler");
    CHECK(lost == 0);
}

TEST_CASE("4.11 ten thousand tasks have a value each, and none is left") {
    record_nothing();
    static int alive, most;
    struct Counted {
        Counted() { most = std::max(most, ++alive); }
        Counted(const Counted&) = delete;
        ~Counted() { --alive; }
    };
    constexpr int kTasks = kit::kUnderTsan ? 1'000 : 10'000;
    TaskLocal<Counted> counted;
    Scheduler sched;
    for (int i = 0; i < kTasks; ++i)
        sched.go(
            [&] {
                *counted;
                yield();
            },
            {.name = {}, .stack_size = 16 * 1024});
    run_ready(sched);
    CHECK(most == kTasks);
    CHECK(alive == 0);
}

TEST_CASE("4.11 a key that is given back twice does not take its place from the next owner") {
    const Key first = create_key();
    delete_key(first);
    const Key second = create_key();
    REQUIRE(second.index == first.index);
    delete_key(first);
    const Key third = create_key();
    CHECK(third.index != second.index);
    int value = 0;
    CHECK_NOTHROW(set_specific(second, &value));
    CHECK(get_specific(second) == &value);
    set_specific(second, nullptr);
    delete_key(second);
    delete_key(third);
    const Key again = create_key();
    CHECK(again.index <= third.index);
    delete_key(again);
}

TEST_CASE("4.11 a value under a key that was given back is seen no longer") {
    static int destroyed;
    destroyed = 0;
    record_nothing();
    Scheduler sched;
    go([] {
        static int value;
        const Key key = create_key([](void*) { ++destroyed; });
        set_specific(key, &value);
        CHECK(get_specific(key) == &value);
        delete_key(key);
        CHECK(get_specific(key) == nullptr);
        INFO("it is destroyed at the end of the task, not when the key is given back");
        CHECK(destroyed == 0);
    });
    run_ready(sched);
    CHECK(destroyed == 1);
}

TEST_CASE("4.11 many values of one task are all destroyed") {
    constexpr int kValues = 9;
    static int destroyed;
    destroyed = 0;
    record_nothing();
    Scheduler sched;
    std::vector<Key> keys;
    for (int i = 0; i < kValues; ++i) keys.push_back(create_key([](void*) { ++destroyed; }));
    static int value;
    go([&] {
        for (const Key& key : keys) set_specific(key, &value);
    });
    run_ready(sched);
    CHECK(destroyed == kValues);
    for (const Key& key : keys) delete_key(key);
}
