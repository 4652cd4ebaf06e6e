// Shared by the tests of the coroutines of all labs. A lab's test file includes its own coroutine.h and then selects
// the tests and their steps:
//
//     namespace under_test = fiberscope::lab02;          // has Coroutine, yield, running
//     #define FIBERSCOPE_STEP_RESUME "2.2"               // prefix of the test names
//     #define FIBERSCOPE_STEP_END "2.2"
//     #define FIBERSCOPE_STEP_EXCEPTIONS "2.2"
//     #include "labs/kit/testing/behaviour_resume.h"     // resume and yield
//     #include "labs/kit/testing/behaviour_limit.h"      // the limit of nesting
//     #include "labs/kit/testing/behaviour_left.h"       // the states in which a yield leaves
//     #include "labs/kit/testing/behaviour_locals.h"     // locals across switches
//     #include "labs/kit/testing/behaviour_end.h"        // the end, exceptions, destruction
//     #include "labs/kit/testing/behaviour_under_way.h"  // exceptions while their coroutine is suspended
//     #include "labs/kit/testing/behaviour_private.h"    // private stacks only
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/run/coroutine.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"
#include "traces/replay/replay.h"

using namespace fiberscope;
using kit::Attributes;
using kit::Misuse;
using kit::MisuseKind;
using kit::State;
using kit::testing::misuse_of;
using under_test::Coroutine;
using under_test::running;
using under_test::yield;

// Separate in each file, because a lab that tests several kinds of coroutines has several under_test.
namespace {

// A coroutine that is never destroyed, since unwinding a suspended one may need an unsolved step.
[[maybe_unused]] Coroutine& forever(kit::Body body, Attributes attributes = {}) {
    static auto& kept = *new std::vector<std::unique_ptr<Coroutine>>;
    kept.push_back(std::make_unique<Coroutine>(std::move(body), std::move(attributes)));
    return *kept.back();
}

[[maybe_unused]] void yield_for_ever() {
    for (;;) yield();
}

}  // namespace

inline Attributes named(const char* name) { return Attributes{.name = name, .stack_size = kit::kDefaultStackSize}; }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
