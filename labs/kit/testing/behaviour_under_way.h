// Exceptions in flight while their coroutine is suspended. See behaviour.h for how to include this.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

#include "labs/kit/testing/behaviour.h"

TEST_CASE(FIBERSCOPE_STEP_EXCEPTIONS " an exception in flight in one coroutine is in flight in no other") {
    struct Yields {
        ~Yields() noexcept(false) { yield(); }
    };
    std::string counts;
    const auto count = [&counts](const char* where) {
        counts += where + std::to_string(std::uncaught_exceptions()) + " ";
    };
    Coroutine throws([&] {
        try {
            Yields local;
            throw std::runtime_error("thrown");
        } catch (const std::exception&) {
        }
        count("caught ");
    });
    Coroutine other([&] { count("other "); });
    throws.resume();
    count("resumer ");
    other.resume();
    if (!throws.done()) throws.resume();
    count("resumer ");
    INFO("given: a switch also switches the count of exceptions in flight, even if none is caught yet");
    CHECK(counts == "resumer 0 other 0 caught 0 resumer 0 ");
}

TEST_CASE(FIBERSCOPE_STEP_END " a destructor may yield while an exception is in flight") {
    INFO("an exception that unwinds the stack is kept with it: yield still leaves");
    struct Yields {
        ~Yields() noexcept(false) { yield(); }
    };
    std::string order;
    Coroutine co([&] {
        try {
            Yields local;
            throw std::runtime_error("thrown");
        } catch (const std::exception& error) {
            order += error.what();
        }
    });
    co.resume();
    order += co.done() ? "not left, " : "left, ";
    if (!co.done()) co.resume();
    CHECK(order == "left, thrown");
    CHECK(co.done());
}
