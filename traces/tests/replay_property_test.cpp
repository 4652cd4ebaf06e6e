// Property, for any trace: the state at event n does not depend on the path of the playhead, and equals that of a naive
// implementation that applies the events from the beginning.
#include <algorithm>
#include <map>
#include <random>

#include "testing/catch.h"
#include "testing/sanitized.h"
#include "traces/replay/replay.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

/// Everything that the replay reports at its playhead.
std::string snapshot(const Replay& replay) {
    std::ostringstream out;
    out << replay.at() << ' ' << replay.time();
    for (std::uint32_t m = 0; m < replay.trace().machines(); ++m) {
        out << "\nmachine " << replay.running(m) << ':';
        for (const std::uint32_t co : replay.caller_stack(m)) out << ' ' << co;
    }
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        const CoroutineNow& c = replay.coroutine(co);
        out << "\nco " << c.exists << ' ' << word(c.state) << ' ' << word(c.kind) << ' ' << c.parent << ' ' << c.caller
            << ' ' << c.machine << ' ' << c.since << ' ' << c.until << ' ' << c.reason << ' ' << c.last_event << ' '
            << c.last_switch << ' ' << c.switches_in << ' ' << c.stack << c.owns << ' ' << c.last_copy << ' '
            << c.copied << c.saved << ' ' << c.capacity << " r";
        for (const RegisterValue& r : replay.registers(co)) out << ' ' << r.name << '=' << r.value;
    }
    for (const SetNow& s : replay.sets()) {
        out << "\nset " << s.index << ' ' << s.name << ' ' << s.key << ' ' << word(s.role) << ' ' << word(s.structure)
            << ' ' << s.owner << ' ' << s.root << ' ' << s.hand << " m";
        for (const Member& m : s.members) out << ' ' << m.co << ',' << m.timer << ',' << m.key << ',' << m.at;
        for (const TreeNode& n : s.nodes)
            out << " n" << n.id << ',' << n.left << ',' << n.right << ',' << n.parent << word(n.color);
    }
    for (std::uint32_t s = 0; s < replay.trace().shared_stacks(); ++s) {
        const SharedStackNow now = replay.shared_stack(s);
        out << "\nstack " << now.owner << ' ' << now.last_copy << ' ' << now.copies_out << ' ' << now.copies_in << ' '
            << now.bytes_out << ' ' << now.bytes_in;
    }
    return out.str();
}

void every_way_there_is_the_same(const Trace& trace, std::uint32_t seed) {
    Replay replay(trace);
    std::vector<std::string> forward = {snapshot(replay)};
    while (replay.forward()) forward.push_back(snapshot(replay));
    REQUIRE(forward.size() == trace.size() + 1);
    while (replay.backward()) REQUIRE(snapshot(replay) == forward[replay.at()]);
    REQUIRE(snapshot(replay) == forward[0]);
    std::mt19937 random(seed);
    for (int i = 0; i < 300; ++i) {
        const std::size_t at = random() % (trace.size() + 1);
        replay.seek(at);
        REQUIRE(replay.at() == at);
        REQUIRE(snapshot(replay) == forward[at]);
        if (random() % 2 == 0 && replay.forward()) REQUIRE(snapshot(replay) == forward[at + 1]);
        if (random() % 2 == 0 && replay.backward()) REQUIRE(snapshot(replay) == forward[replay.at()]);
    }
}

/// For conditions checked millions of times: reports only failures to Catch, because each REQUIRE costs a microsecond.
void must_hold(bool holds, const char* what) {
    if (!holds) FAIL(what);
}

/// The naive implementation: applies the events one by one to maps and vectors, as docs/trace-format.md describes.
struct Plain {
    std::map<std::uint32_t, State> states;
    std::map<std::uint32_t, std::uint32_t> running;
    using Item = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // co, timer, key
    std::map<std::uint32_t, std::vector<Item>> members;
    std::map<std::uint32_t, Structure> structures;
    std::map<std::uint32_t, SharedStackNow> stacks;
    std::map<std::uint32_t, std::uint32_t> last_copies;

    void insert(const Event& e) {
        auto& set = members[e.set];
        const Item item{e.co, e.other, e.text};
        if (std::find(set.begin(), set.end(), item) != set.end()) return;
        const auto declared = structures.find(e.set);
        const bool queue = declared == structures.end() || declared->second == Structure::queue;
        const bool inside = queue && e.x >= 0 && static_cast<std::size_t>(e.x) < set.size();
        set.insert(inside ? set.begin() + e.x : set.end(), item);
    }
    void copy(const Event& e, std::uint32_t n) {
        SharedStackNow& stack = stacks[e.set];
        const bool out = e.first<Direction>() == Direction::out;
        ++(out ? stack.copies_out : stack.copies_in);
        (out ? stack.bytes_out : stack.bytes_in) += static_cast<std::uint64_t>(e.x);
        stack.last_copy = last_copies[e.co] = n;
    }
    void apply(const Event& e, std::uint32_t n) {
        switch (e.kind) {
        case Kind::own: stacks[e.set].owner = e.co; break;
        case Kind::copy: copy(e, n); break;
        case Kind::spawn:
            last_copies.erase(e.co);
            states[e.co] = e.first<CoKind>() == CoKind::thread ? State::running : State::new_;
            if (e.first<CoKind>() == CoKind::thread) running[e.m] = e.co;
            break;
        case Kind::switch_:
            states[e.co] = e.second<State>();
            states[e.other] = State::running;
            running[e.m] = e.other;
            if (e.second<State>() == State::dead) last_copies.erase(e.co);
            break;
        case Kind::state:
            states[e.co] = e.second<State>();
            if (e.second<State>() == State::dead) last_copies.erase(e.co);
            break;
        case Kind::set: structures[e.set] = e.second<Structure>(); break;
        case Kind::insert: insert(e); break;
        case Kind::remove: std::erase(members[e.set], Item{e.co, e.other, e.text}); break;
        default: break;
        }
    }
};

void agrees_on_shared_stacks(const Replay& replay, const Plain& plain) {
    for (const auto& [index, expected] : plain.stacks) {
        const SharedStackNow now = replay.shared_stack(index);
        must_hold(now.owner == expected.owner, "the owner");
        must_hold(now.last_copy == expected.last_copy, "the last copy");
        must_hold(now.copies_out == expected.copies_out, "copies out");
        must_hold(now.copies_in == expected.copies_in, "copies in");
        must_hold(now.bytes_out == expected.bytes_out, "bytes out");
        must_hold(now.bytes_in == expected.bytes_in, "bytes in");
    }
    for (std::uint32_t co = 0; co < replay.coroutines(); ++co) {
        const auto found = plain.last_copies.find(co);
        must_hold(replay.coroutine(co).last_copy == (found == plain.last_copies.end() ? kNone : found->second),
                  "the last copy of a coroutine");
    }
}

void agrees_with_the_plain_reading(const Trace& trace, bool every_machine) {
    Replay replay(trace);
    Plain plain;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        plain.apply(trace[n], static_cast<std::uint32_t>(n));
        replay.forward();
        if (n % fiberscope::testing::kStride != 0) continue;
        agrees_on_shared_stacks(replay, plain);
        for (const auto& [co, state] : plain.states)
            must_hold(replay.coroutine(co).state == state, "the state of a coroutine");
        for (const auto& [m, co] : plain.running)
            if (every_machine) must_hold(replay.running(m) == co, "who runs on a machine");
        for (const SetNow& set : replay.sets()) {
            std::vector<Plain::Item> items;
            for (const Member& m : set.members) items.emplace_back(m.co, m.timer, m.key);
            auto expected = plain.members[set.index];
            if (set.structure != Structure::queue) {  // ordered by something else
                std::sort(items.begin(), items.end());
                std::sort(expected.begin(), expected.end());
            }
            must_hold(items == expected, "the members of a set");
        }
    }
}

}  // namespace

TEST_CASE("the state at an event does not depend on the way there") {
    for (std::uint32_t seed = 1; seed <= std::uint32_t{fiberscope::testing::rounds(12)}; ++seed) {
        INFO("random trace, seed " << seed);
        every_way_there_is_the_same(read_text(random_trace({.seed = seed, .events = 400, .coroutines = 6})), seed);
    }
    for (std::uint32_t seed = 1; seed <= std::uint32_t{fiberscope::testing::rounds(4)}; ++seed) {
        INFO("scheduler trace, seed " << seed);
        every_way_there_is_the_same(read_text(scheduler_trace({.seed = seed, .events = 1500, .coroutines = 12})), seed);
    }
}

TEST_CASE("the state at an event does not depend on the way there, across keyframes") {
    const Trace trace =
        read_text(scheduler_trace({.seed = 9, .events = 60000 / fiberscope::testing::kStride, .coroutines = 40}));
    Replay there(trace), seeking(trace);
    std::mt19937 random(9);
    std::size_t step = 0;
    while (there.forward()) {
        if (++step % 1777 != 0) continue;
        const std::string expected = snapshot(there);
        seeking.seek(random() % trace.size());
        seeking.seek(there.at());
        REQUIRE(snapshot(seeking) == expected);
        for (int i = 0; i < 20; ++i) seeking.backward();
        for (int i = 0; i < 20; ++i) seeking.forward();
        REQUIRE(snapshot(seeking) == expected);
    }
}

TEST_CASE("the replay agrees with a plain reading of the events") {
    for (std::uint32_t seed = 1; seed <= std::uint32_t{fiberscope::testing::rounds(10)}; ++seed) {
        INFO("seed " << seed);
        agrees_with_the_plain_reading(read_text(random_trace({.seed = seed, .events = 600, .coroutines = 6})), false);
        agrees_with_the_plain_reading(read_text(scheduler_trace({.seed = seed, .events = 1000, .coroutines = 10})),
                                      true);
    }
    agrees_with_the_plain_reading(read_text(large_queue_trace(9000, 1500)), true);
}
