// Step 4.19: exhaustive exploration of small programs.
#include "labs/04_scheduler/beyond/deque/tests/deque.h"
#include "labs/04_scheduler/tests/explored.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// The operations of an owner, while another machine steals from its deque.
struct Robbed {
    int gs;                ///< in all
    int before;            ///< the first Gs, already in the deque
    std::size_t capacity;  ///< of the ring
    std::function<void(Deque&, const IdleGs&, Numbers&)> owner;
    int steals = 2;  ///< of the other machine
};

/// Each G that was pushed must leave exactly once.
void run_beside_a_thief(const Robbed& robbed, unsigned owner) {
    IdleGs idle(robbed.gs, 2);
    Deque deque(robbed.capacity);
    deque.belongs_to(owner);
    for (int i = 0; i < robbed.before; ++i) deque.push(idle[static_cast<std::size_t>(i)]);
    Numbers taken, stolen;
    idle.sched.shared().run_on_machines(2, [&](Machine& machine) {
        if (machine.index == owner) return robbed.owner(deque, idle, taken);
        for (int i = 0; i < robbed.steals; ++i) stolen.push_back(idle.number(deque.steal()));
    });
    taken.insert(taken.end(), stolen.begin(), stolen.end());
    while (Task* g = deque.pop()) taken.push_back(idle.number(g));
    std::erase(taken, kNone);
    std::ranges::sort(taken);
    require(std::ranges::adjacent_find(taken) == taken.end(), "a G has left the deque twice");
    require(std::ranges::find(taken, -2) == taken.end(), "a machine has taken a G that was never pushed");
    require(static_cast<int>(taken.size()) == robbed.gs, "a G is lost");
}

/// Both orders.
void check_beside_a_thief(const Robbed& robbed, bool weak = false, const char* missing = nullptr) {
    for (const unsigned owner : {0U, 1U})
        check_all_orders([robbed, owner] { run_beside_a_thief(robbed, owner); }, weak, missing);
}

void pop_two(Deque& deque, const IdleGs& idle, Numbers& taken) {
    for (int i = 0; i < 2; ++i) taken.push_back(idle.number(deque.pop()));
}

}  // namespace

TEST_CASE("4.19 explored: the last G of a deque, popped and stolen at once") {
    check_beside_a_thief({.gs = 1, .before = 1, .capacity = 4, .owner = pop_two});
    check_beside_a_thief({.gs = 2, .before = 2, .capacity = 4, .owner = pop_two});
}

TEST_CASE("4.19 explored: the last G is lost to a thief, and the deque can be used again") {
    const char* const back = "pop: bottom is restored, even if the compare-exchange fails";
    const auto pop_push = [](Deque& deque, const IdleGs& idle, Numbers& taken) {
        taken.push_back(idle.number(deque.pop()));
        deque.push(idle[1]);
    };
    check_beside_a_thief({.gs = 2, .before = 1, .capacity = 4, .owner = pop_push}, false, back);
}

TEST_CASE("4.19 explored: a G is pushed while a thief looks, and must be visible only when it is complete") {
    const auto push_pop_push = [](Deque& deque, const IdleGs& idle, Numbers& taken) {
        deque.push(idle[0]);
        taken.push_back(idle.number(deque.pop()));
        deque.push(idle[1]);
    };
    check_beside_a_thief({.gs = 2, .before = 0, .capacity = 4, .owner = push_pop_push});
}

TEST_CASE("4.19 explored: with store buffers, the thief sees the bottom of a pop late") {
    const char* const fence = "pop: a full fence between the store of bottom and the load of top, or a seq_cst store";
    check_beside_a_thief({.gs = 2, .before = 2, .capacity = 4, .owner = pop_two}, true, fence);
}

TEST_CASE("4.19 explored: with store buffers, the ring grows while a thief reads") {
    const char* const order = "write the new ring's slots, then the ring, then bottom";
    const auto grows = [](Deque& deque, const IdleGs& idle, Numbers& taken) {
        deque.push(idle[2]);
        taken.push_back(idle.number(deque.pop()));
        deque.push(idle[3]);
    };
    check_beside_a_thief({.gs = 4, .before = 2, .capacity = 2, .owner = grows}, true, order);
}

TEST_CASE("4.19 explored: the ring grows between two loads of a thief, which must not read an old one") {
    const char* const last = "steal: load ring_ after bottom; a G pushed after the ring grew is in no older ring";
    const auto push_steal = [](Deque& deque, const IdleGs& idle, Numbers& taken) {
        deque.push(idle[2]);
        for (int i = 0; i < 2; ++i) taken.push_back(idle.number(deque.steal()));
    };
    const auto push = [](Deque& deque, const IdleGs& idle, Numbers&) { deque.push(idle[2]); };
    check_beside_a_thief({.gs = 3, .before = 2, .capacity = 2, .owner = push_steal}, false, last);
    check_beside_a_thief({.gs = 3, .before = 2, .capacity = 2, .owner = push, .steals = 3}, false, last);
}

TEST_CASE("4.19 explored: a thief that loses a race at one machine continues with the next") {
    const char* const on = "steal_from_others: after a lost race, still ask the other machines";
    check_all_orders(
        [] {
            IdleGs gs(4, 2);
            GoDeques deques(3);
            for (std::size_t i = 0; i < 4; ++i) deques.own(i < 2 ? 1 : 2).gs.insert(gs[i]);
            bool found = false;
            gs.sched.shared().run_on_machines(2, [&](Machine& machine) {
                if (machine.index == 1)
                    static_cast<void>(deques.own(1).gs.take_oldest());
                else
                    found = deques.steal_from_others(machine) != nullptr;
            });
            for (unsigned i = 0; i < 3; ++i)
                while (deques.own(i).gs.take_oldest() != nullptr) continue;
            require(found, "a thief has found nothing, though two Gs are in a deque all the time");
        },
        false, on);
}

TEST_CASE("4.19 explored: with store buffers, a machine parks while another one fills its deque") {
    const char* const fence = "push_local: a fence between the push and the load of idle()";
    for (const bool late : {false, true}) {
        const auto push_two = [late] {
            IdleGs gs(2, 2);
            GoDeques deques(2);
            WorkerPool& shared = gs.sched.shared();
            shared.run_on_machines(2, [&](Machine& machine) {
                if (machine.index == 1) return deques.park(shared, machine);
                if (late) kit::work(1);
                for (Task* g : gs.all) deques.push_local(shared, machine, *g);
            });
            std::size_t pushed = 0;
            while (deques.own(0).gs.take_oldest() != nullptr) ++pushed;
            require(pushed == 2, "push_local has not pushed the G to the deque");
        };
        check_all_orders(push_two, true, fence);
    }
}
