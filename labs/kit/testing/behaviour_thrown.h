// Exceptions out of coroutines and into them. See behaviour.h for how to include this; after behaviour_end.h.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>

#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/testing/behaviour.h"
#include "labs/kit/testing/behaviour_end.h"

namespace {

/// Whether an exception that escapes a coroutine is rethrown by resume with its type, which has base classes.
template <class Exception>
bool comes_out_as_it_is(const Exception& exception) {
    Coroutine co([&] { throw exception; });
    try {
        co.resume();
    } catch (const Exception&) {
        return true;
    } catch (...) {
    }
    return false;
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " every thrown object is rethrown by resume, and then released") {
    {
        EXPECTS("an exception need not be a std::exception");
        Coroutine number([] { throw 42; });
        int caught = 0;
        try {
            number.resume();
        } catch (int thrown) {
            caught = thrown;
        }
        CHECK(caught == 42);
    }
    {
        INFO(
            "resume rethrows the exception itself, with its own type: keep it by std::current_exception, do not create "
            "another one");
        CHECK(comes_out_as_it_is(std::out_of_range("far away")));
        CHECK(comes_out_as_it_is(std::system_error(std::make_error_code(std::errc::io_error))));
        CHECK(comes_out_as_it_is(std::bad_array_new_length()));
    }
    const auto token = std::make_shared<int>(0);
    Coroutine keeps([&] { throw std::weak_ptr<int>(token).lock(); });
    try {
        keeps.resume();
    } catch (const std::shared_ptr<int>&) {
    }
    INFO("the exception is rethrown once: move it out of the coroutine, or it lives as long as the dead coroutine");
    CHECK(token.use_count() == 1);
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " a function that swallows the unwinding and yields again is unwound again") {
    int alive = 0, swallowed = 0, went_on = 0;
    {
        Coroutine co([&] {
            CountsDown outer(alive);
            try {
                yield();
            } catch (...) {
                ++swallowed;
            }
            yield();
            ++went_on;
        });
        co.resume();
    }
    INFO("its stack may be released only when it is dead: until then resume it to unwind it, each time");
    CHECK(swallowed == 1);
    CHECK(alive == 0);
    CHECK(went_on == 0);
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS
          " a coroutine left ready, sleeping or waiting is also unwound when it is destroyed") {
    for (const State left : {State::suspended, State::ready, State::sleeping, State::waiting}) {
        INFO(kit::told(message("(it was left {0})", Text(word(left), "state"))));
        INFO(
            "whatever state a yield has left it in, it has locals: it is thrown into, and never continues after its "
            "yield");
        int alive = 0;
        bool went_on = false;
        {
            Coroutine co([&] {
                CountsDown local(alive);
                yield(left, trace::kAbsent, nullptr);
                went_on = true;
            });
            co.resume();
            CHECK(alive == 1);
        }
        CHECK_FALSE(went_on);
        CHECK(alive == 0);
    }
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " a coroutine that swallows its unwinding many times is unwound to its end") {
    EXPECTS("unwind continues until the coroutine is dead, however often it yields again, and in whichever state");
    constexpr std::array kStates{State::suspended, State::ready, State::sleeping, State::waiting};
    std::size_t swallowed = 0;
    bool destroyed = false;
    {
        Coroutine co([&] {
            struct Local {
                bool& said;
                ~Local() { said = true; }
            } const local{destroyed};
            while (swallowed < 20) try {
                    yield(kStates[swallowed % 4], trace::kAbsent, nullptr);
                } catch (...) {
                    ++swallowed;
                }
        });
        co.resume();
        CHECK_FALSE(destroyed);
    }
    CHECK(swallowed == 20);
    CHECK(destroyed);
}

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " an exception thrown instead of the unwinding is dropped") {
    EXPECTS(
        "a destructor must not throw: an exception of a coroutine that is being destroyed is neither kept nor "
        "rethrown");
    int alive = 0;
    bool replaced = false;
    {
        Coroutine co([&] {
            CountsDown local(alive);
            try {
                yield();
            } catch (...) {
                replaced = true;
                throw std::runtime_error("instead of the unwinding");
            }
        });
        co.resume();
    }
    CHECK(replaced);
    CHECK(alive == 0);
}

namespace {

/// Nests coroutines up to the limit, and calls `at_the_bottom` in the last one.
void nest_to_the_limit(const std::function<void()>& at_the_bottom) {
    if (kit::this_thread().callers.full()) return at_the_bottom();
    // Allocated on the heap, because the stack may change owners.
    const auto next = std::make_unique<Coroutine>([&] { nest_to_the_limit(at_the_bottom); },
                                                  Attributes{.name = "nested", .stack_size = 64 * 1024});
    next->resume();
}

}  // namespace

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " a suspended coroutine may be destroyed at the nesting limit") {
    EXPECTS("a destructor cannot refuse: the unwinding may nest one level deeper than resume allows");
    int alive = 0;
    {
        auto victim = std::make_unique<Coroutine>([&] {
            CountsDown local(alive);
            yield();
        });
        victim->resume();
        nest_to_the_limit([&] { victim.reset(); });
        CHECK(victim == nullptr);
    }
    CHECK(alive == 0);
    CHECK(kit::this_thread().callers.depth() == 0);
}
