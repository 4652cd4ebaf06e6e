// Step 4.11: the destruction of a task's values, and the effects of deleted keys on them.
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/04_scheduler/tests/task_local.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.11 values are destroyed when their task ends, the last set first, before a joiner continues") {
    INFO("destroy the values after the task's own locals, the last set first, and only then wake the joiners");
    Scheduler sched;
    TaskLocal<Told> first([] { return Told("first"); }), second([] { return Told("second"); }),
        third([] { return Told("third"); });
    Log seen;
    const Handle owner = go("owner", [&] {
        const Told local("the local");
        *third;
        *first;
        *second;
        yield();
    });
    go("joiner", [&] {
        join(owner);
        seen = ends;
    });
    run_ready(sched);
    CHECK(ends == Log{"the local", "second", "first", "third"});
    CHECK(seen == ends);
}

TEST_CASE("4.11 a value that is set again counts as the last one set") {
    INFO(
        "every set_specific takes the next number, also under a key that has a value: the later value may use the "
        "others");
    Scheduler sched;
    const Key a = create_key(tell_end), b = create_key(tell_end);
    go("owner", [&] {
        set_specific(a, word("a"));
        set_specific(b, word("b"));
        set_specific(a, word("a anew"));
    });
    run_ready(sched);
    CHECK(ends == Log{"a anew", "b"});
    delete_key(a);
    delete_key(b);
}

TEST_CASE("4.11 values that are created while others are destroyed are destroyed too") {
    INFO("rounds are counted in values: kMostRounds times as many calls as there were values");
    Scheduler sched;
    static std::vector<Key> keys;
    static int destroyed = 0;
    constexpr int kKeys = 8;
    for (int i = 0; i < kKeys; ++i)
        keys.push_back(create_key([](void* value) {
            if (++destroyed < kKeys) set_specific(keys[0], value);
        }));
    go([] {
        for (const Key& key : keys) set_specific(key, word("value"));
    });
    run_ready(sched);
    CHECK(destroyed > kKeys);
    for (const Key& key : keys) delete_key(key);
}

TEST_CASE("4.11 values are destroyed when the task ends by an exception, and when it is unwound with its scheduler") {
    INFO("the end of a task is one place: for return, exception and unwinding");
    TaskLocal<Told> told([] { return Told(running_task().core().name()); });
    std::vector<Failure> failures;
    {
        Scheduler sched;
        go("baker", [&] {
            *told;
            throw std::runtime_error("no more flour");
        });
        go("sleeper", [&] {
            *told;
            sleep_for(1'000'000);
        });
        go([&] { *told; }, "never ran");
        sched.resume(*sched.ready().pop());
        sched.resume(*sched.ready().pop());
        CHECK(ends == Log{"baker"});
    }
    CHECK(ends == Log{"baker", "sleeper"});
}

TEST_CASE("4.11 destructors run in the task: they may yield, and they see the task's values") {
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
    INFO("the older value exists as long as a younger one may use it");
    CHECK(ends == Log{"ann", "bob"});
}

TEST_CASE("4.11 a value that a destructor sets is destroyed too") {
    INFO("go through the values again as long as a destructor has set one");
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

TEST_CASE("4.11 the slot is empty before the value is destroyed; a value set again and again is abandoned") {
    INFO("empty the slot before you call the destructor, and give up after kMostRounds rounds");
    Scheduler sched;
    std::vector<Key> without_value;  // their slots precede that of the value
    for (int i = 0; i < 9; ++i) without_value.push_back(create_key());
    static Key key;
    static int calls, seen;
    key = create_key([](void* value) {
        seen += get_specific(key) != nullptr ? 1 : 0;
        if (++calls < 1000) set_specific(key, value);
    });
    go([&] { set_specific(key, word("phoenix")); });
    run_ready(sched);
    CHECK(seen == 0);
    INFO("a slot without a value does not count: kMostRounds times as many calls as there were values");
    CHECK(calls == static_cast<int>(kMostRounds));
    for (const Key& one : without_value) delete_key(one);
}

TEST_CASE("4.11 a key in the slot of an earlier one does not see its values; they are destroyed all the same") {
    INFO("a value stores the generation of its key: another generation in the same slot is another key");
    Scheduler sched;
    const Key old = create_key(tell_end);
    Key next{};
    Log seen;
    bool there = true;
    go("uses both", [&] {
        set_specific(old, word("replaced"));
        yield();
        there = get_specific(next) != nullptr;
        set_specific(next, word("new"));
        seen = ends;
    });
    go("uses the old one", [&] {
        set_specific(old, word("kept to the end"));
        yield();
    });
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

namespace {

Key that_follows;  // reuses the slot of a deleted key

void sets_the_one_that_follows(void* value) {
    tell_end(value);
    if (ends.size() < 3) set_specific(that_follows, word("by the destructor"));
}

}  // namespace

TEST_CASE("4.11 no destructor is called for a deleted key without a value") {
    INFO("there is no value under the earlier key: its destructor is not called");
    Scheduler sched;
    static int destroyed = 0, value = 0;
    destroyed = 0;
    std::uint32_t before = 0, after = 1;
    void* seen = nullptr;
    go([&] {
        const Key earlier = create_key([](void*) { ++destroyed; });
        before = earlier.index;
        set_specific(earlier, &value);
        set_specific(earlier, nullptr);
        delete_key(earlier);
        const Key next = create_key();
        after = next.index;
        set_specific(next, &value);
        seen = get_specific(next);
        delete_key(next);
    });
    CHECK(sched.run().empty());
    CHECK(before == after);
    CHECK(seen == &value);
    CHECK(destroyed == 0);
}

TEST_CASE("4.11 a value of a deleted key without a destructor is only dropped") {
    INFO("the earlier key may have no destructor: then nothing is called for its value");
    Scheduler sched;
    static int value = 0;
    void* got = nullptr;
    go([&] {
        const Key earlier = create_key();
        set_specific(earlier, &value);
        delete_key(earlier);
        const Key next = create_key();
        set_specific(next, &got);
        got = get_specific(next);
        delete_key(next);
    });
    CHECK(sched.run().empty());
    CHECK(got == &got);
}

TEST_CASE("4.11 a value replaced by another key's has left its slot before it is destroyed") {
    INFO(
        "write the new value first, and then destroy the old one: its destructor may use the slot, and finds the "
        "new value");
    Scheduler sched;
    ends.clear();
    const Key old = create_key(sets_the_one_that_follows);
    const void* there = nullptr;
    go([&] {
        set_specific(old, word("replaced"));
        delete_key(old);
        that_follows = create_key();
        set_specific(that_follows, word("new"));
        there = get_specific(that_follows);
    });
    run_ready(sched);
    CHECK(that_follows.index == old.index);
    CHECK(ends == Log{"replaced"});
    CHECK(there == word("by the destructor"));
    delete_key(that_follows);
}

TEST_CASE("4.11 deleting a key twice does not delete the next key in its slot") {
    INFO("delete_key compares the generation: the second call finds another one and does nothing");
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

TEST_CASE("4.11 a value of a deleted key is no longer visible") {
    INFO("a value is visible only if its generation is that of the key");
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
        INFO("it is destroyed at the end of the task, not when the key is deleted");
        CHECK(destroyed == 0);
    });
    run_ready(sched);
    CHECK(destroyed == 1);
}

TEST_CASE("4.11 many values of one task are all destroyed") {
    INFO("go through all values of the task, however many, also past one whose key has no destructor");
    constexpr int kValues = 9;
    static int destroyed;
    destroyed = 0;
    record_nothing();
    Scheduler sched;
    std::vector<Key> keys;
    for (int i = 0; i < kValues; ++i) keys.push_back(create_key([](void*) { ++destroyed; }));
    keys.push_back(create_key(nullptr));
    static int value;
    go([&] {
        for (const Key& key : keys) set_specific(key, &value);
    });
    run_ready(sched);
    CHECK(destroyed == kValues);
    for (const Key& key : keys) delete_key(key);
}

namespace {
int destroyed_values = 0;
}  // namespace

TEST_CASE("4.11 a value replaced under the same key belongs to the caller") {
    Scheduler sched;
    destroyed_values = 0;
    int in_between = -1;
    const Key key = create_key([](void*) { ++destroyed_values; });
    int first = 1, second = 2;
    go([&] {
        set_specific(key, &first);
        set_specific(key, &second);
        in_between = destroyed_values;
    });
    run_ready(sched);
    INFO("set_specific destroys no value of its own key: the caller has the old value, and may use it");
    CHECK(in_between == 0);
    CHECK(destroyed_values == 1);
    delete_key(key);
}
