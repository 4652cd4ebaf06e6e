// Step 3.4: addresses on a shared stack.
#include <string>
#include <vector>

#include "labs/03_shared_stack/access.h"
#include "labs/03_shared_stack/tests/groups.h"

using namespace fiberscope;
using namespace fiberscope::lab03;
using namespace fiberscope::lab03::groups;

TEST_CASE("3.4 the hazard: an address on a shared stack points to the bytes that are there now") {
    INFO("the coroutine that runs on a shared stack is its owner, and its bytes are at the same place as before");
    SharedStacks& group = group_of(1);
    const volatile int* handed = nullptr;
    int as_written = 0, as_read = 0;
    Coroutine& writer = forever(group, [&] {
        volatile int local = 4711;
        handed = &local;
        as_written = *handed;
        yield_for_ever();
    });
    Coroutine& other = forever(group, [&] {
        volatile int fills[64];
        for (auto& each : fills) each = 815;
        as_read = group.stack(0).bounds().contains(reinterpret_cast<std::uintptr_t>(handed)) ? 1 : 0;
        yield_for_ever();
    });
    writer.resume();
    CHECK(as_written == 4711);
    CHECK(group.stack(0).owner() == &writer);
    other.resume();
    INFO("the address is still on the stack, but the stack has another owner");
    CHECK(as_read == 1);
    CHECK(group.stack(0).owner() == &other);
    writer.resume();
    CHECK(*handed == 4711);
}

TEST_CASE("3.4 an access through such an address is recorded with the owner of the bytes") {
    const Recorded run = record("hazard", [] {
        SharedStacks& group = group_of(1);
        const int* handed = nullptr;
        Coroutine& writer = forever(
            group,
            [&] {
                int local = 1;
                handed = &local;
                record_access(group.stack(0), handed);
                yield_for_ever();
            },
            "writer");
        Coroutine& reader = forever(
            group,
            [&] {
                record_access(group.stack(0), handed);
                yield_for_ever();
            },
            "reader");
        writer.resume();
        reader.resume();
    });
    INFO(run.fault);
    REQUIRE(run.fault.empty());
    std::vector<std::string> met;
    for (std::size_t i = 0; i < run.trace.size(); ++i)
        if (run.trace[i].kind == trace::Kind::access)
            met.push_back(std::string(run.trace.name(run.trace[i].co)) + " meets " +
                          std::string(run.trace.name(run.trace[i].other)));
    CHECK(met == std::vector<std::string>{"writer meets writer", "reader meets reader"});
}
