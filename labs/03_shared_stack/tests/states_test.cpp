// Step 3.4: owners are saved in every state but dead; and groups count independently.
#include <string>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/tests/support.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab03;
using kit::State;

namespace {

// Both live until the process ends: unwinding is step 3.5.
SharedStacks& group_of(std::size_t count) { return made_for_ever<SharedStacks>(count, std::size_t{256} * 1024); }
Coroutine& forever(SharedStacks& group, kit::Body body) { return made_for_ever<Coroutine>(std::move(body), group); }

void leave_for_ever(State left) {
    for (;;) yield(left, trace::kAbsent, nullptr);
}

}  // namespace

TEST_CASE("3.4 an owner left ready, sleeping or waiting is moved out like a suspended one") {
    for (const State left : {State::suspended, State::ready, State::sleeping, State::waiting}) {
        SharedStacks& group = group_of(1);
        std::string seen;
        Coroutine& owner = forever(group, [&] {
            seen = with_depth(3000, [left] { yield(left, trace::kAbsent, nullptr); }) ? "intact" : "lost";
            leave_for_ever(left);
        });
        Coroutine& other = forever(group, [left] { with_depth(5000, [left] { leave_for_ever(left); }); });
        owner.resume();
        other.resume();
        INFO(kit::told(message("(it was left {0})", Text(word(left), "state"))));
        INFO("only a dead owner needs no image: a scheduler leaves its tasks ready, sleeping or waiting");
        REQUIRE(owner.image.size() > 3000);
        owner.resume();
        CHECK(seen == "intact");
    }
}
