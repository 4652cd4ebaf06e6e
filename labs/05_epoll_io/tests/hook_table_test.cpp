// Step 5.5: each call gives in a hooked task what it gives where it blocks the thread: on every kind of descriptor, in
// its states, with its arguments at their limits.
#include "labs/05_epoll_io/tests/support/table_calls.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// What the handout's table says to differ: the call stops the thread, or it has a result of its own.
bool is_in_handout(const table::Row& row) {
    constexpr const char* kRows[] = {"tee: a pipe", "read 0: inotify", "recv 0: TCP, 10 ms"};
    return std::any_of(std::begin(kRows), std::end(kRows), [&](const char* name) { return row.name == name; });
}

std::string differences_of(const std::vector<table::NamedCall>& calls) {
    std::vector<table::Row> rows = table::rows_of(calls, table::all_kinds());
    std::erase_if(rows, is_in_handout);
    return table::differences(rows);
}

}  // namespace

TEST_CASE("5.5 third: a read of any kind of descriptor gives what it gives a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("try first, then wait: what a call tells at once is no reason to wait");
    CHECK(differences_of(table::reads()) == "");
}

TEST_CASE("5.5 third: a receive from any kind of descriptor gives what it gives a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("try first, then wait: what a call tells at once is no reason to wait");
    CHECK(differences_of(table::receives()) == "");
}

TEST_CASE("5.5 third: several messages at once, on any kind of descriptor, are what they are to a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("try first, then wait: what a call tells at once is no reason to wait");
    CHECK(differences_of(table::several_messages()) == "");
}

TEST_CASE("5.5 third: an accept on any kind of descriptor gives what it gives a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("try first, then wait: what a call tells at once is no reason to wait");
    CHECK(differences_of(table::accepts()) == "");
}

TEST_CASE("5.5 third: a write to any kind of descriptor gives what it gives a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("try first, then wait: what a call tells at once is no reason to wait");
    CHECK(differences_of(table::writes()) == "");
}

TEST_CASE("5.5 third: a send to any kind of descriptor gives what it gives a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("try first, then wait: what a call tells at once is no reason to wait");
    CHECK(differences_of(table::sends()) == "");
}

TEST_CASE("5.5 third: splice, tee and sendfile between any two kinds give what they give a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("try first, then wait: what a call tells at once is no reason to wait");
    CHECK(differences_of(table::transfers()) == "");
}
