// Demos of lab 01. Each writes a trace.
#include "labs/kit/demo/demo.h"

#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"

using namespace fiberscope;
using namespace fiberscope::lab01;
using kit::DemoOptions;
using kit::note;
using kit::State;
using kit::work;

namespace {

constexpr std::uint64_t kMicrosecond = 1000;

std::string hex(std::uint64_t value) {
    char text[19];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

// ---- two_contexts: plain `_switch`, first correct, then with one register forgotten -----------------------------

struct Player {
    const char* name;
    std::uint64_t treasure;  // kept in the first of kKeptRegisters while the other player runs
    SwitchFunction function;
    kit::Core* partner = nullptr;
    kit::Core* origin = nullptr;
    bool opens = false;
};

void keep_treasure_and_switch(const Player& player, trace::Why why) {
    kit::Core& self = *kit::this_thread().current;
    KeptRegisters registers{player.treasure};
    switch_with_registers(self, *player.partner, {why, State::suspended}, player.function, registers);
    const std::string kept(kKeptRegisters[0]);
    if (registers[0] == player.treasure)
        note("{0} still holds {1}", kept, hex(player.treasure));
    else
        note("{0} held {1} and now holds {2}: it was never saved", kept, hex(player.treasure), hex(registers[0]));
}

void play(void* argument) {
    const auto& player = *static_cast<Player*>(argument);
    for (int round = 0; round < 4; ++round) {
        work(2 * kMicrosecond);
        keep_treasure_and_switch(player, round == 0 && player.opens ? trace::Why::start : trace::Why::swap);
    }
    switch_to(*kit::this_thread().current, *player.origin, {trace::Why::swap, State::suspended});
}

void play_two(SwitchFunction function, const std::string& suffix) {
    kit::Core& origin = *kit::this_thread().own;
    Player players[2] = {{"left", 0x1111, function, nullptr, &origin, true},
                         {"right", 0x2222, function, nullptr, &origin}};
    RawContext left("left" + suffix, play, &players[0]);
    RawContext right("right" + suffix, play, &players[1]);
    players[0].partner = &right;
    players[1].partner = &left;
    switch_to(origin, left, {trace::Why::start, State::suspended});
}

void two_contexts(const DemoOptions&) {
    const std::string kept(kKeptRegisters[0]);
    note("two contexts switch to each other by _switch; each keeps a number in {0}", kept);
    play_two(&_switch, "");
    note("the same again, but this switch forgets to save {0}", kept);
    play_two(&fiberscope_forgetful_switch, ", forgetful");
}

// ---- ping_pong, nested, generator -------------------------------------------------------------------------------

void ping_pong(const DemoOptions&) {
    const auto player = [](const char* word) {
        return [word] {
            for (int i = 0; i < 6; ++i) {
                work(3 * kMicrosecond);
                note(word);
                yield();
            }
        };
    };
    Coroutine ping(player("ping"), {.name = "ping"});
    Coroutine pong(player("pong"), {.name = "pong"});
    while (!ping.done() || !pong.done()) {
        if (!ping.done()) ping.resume();
        if (!pong.done()) pong.resume();
    }
}

void nested(const DemoOptions&) {
    Coroutine c(
        [] {
            for (int i = 0; i < 3; ++i) {
                work(2 * kMicrosecond);
                yield();
            }
        },
        {.name = "C"});
    Coroutine b(
        [&] {
            while (!c.done()) {
                work(kMicrosecond);
                c.resume();
                work(kMicrosecond);
                yield();
            }
        },
        {.name = "B"});
    Coroutine a(
        [&] {
            while (!b.done()) {
                work(kMicrosecond);
                b.resume();
                work(kMicrosecond);
                yield();
            }
        },
        {.name = "A"});
    while (!a.done()) {
        work(kMicrosecond);
        a.resume();
    }
}

void generator(const DemoOptions&) {
    std::uint64_t value = 0;
    Coroutine fibonacci(
        [&] {
            std::uint64_t a = 0, b = 1;
            for (;;) {
                work(kMicrosecond);
                value = a;
                yield();
                b += std::exchange(a, b);
            }
        },
        {.name = "fibonacci"});
    for (int i = 0; i < 12; ++i) {
        fibonacci.resume();
        note("fibonacci gave {0}", value);
        work(2 * kMicrosecond);
    }
}

// ---- round_robin ------------------------------------------------------------------------------------------------

void labour(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto rounds = 2 + random() % 6;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        work((1 + random() % 5) * kMicrosecond);
        if (i + 1 < rounds) yield();
    }
}

void round_robin(const DemoOptions& options) {
    std::vector<std::unique_ptr<Coroutine>> workers;
    for (unsigned i = 0; i < 20; ++i) {
        char name[16];
        std::snprintf(name, sizeof name, "worker %02u", i + 1);
        workers.push_back(
            std::make_unique<Coroutine>([i, &options] { labour(options.seed * 1000 + i); }, Attributes{.name = name}));
    }
    for (bool any = true; any;) {
        any = false;
        for (auto& worker : workers) {
            if (worker->done()) continue;
            worker->resume();
            any = true;
        }
    }
}

constexpr kit::Demo kDemos[] = {
    {"two_contexts", "_switch between two contexts, first correct, then with one register forgotten", two_contexts},
    {"ping_pong", "two coroutines resumed in turn", ping_pong},
    {"nested", "A resumes B resumes C, and back", nested},
    {"generator", "Fibonacci numbers, consumed by main", generator},
    {"round_robin",
     "20 coroutines of random lengths, in round-robin order (--seed N)",
     round_robin,
     nullptr,
     {},
     {true}},
};

}  // namespace

int main(int argc, char** argv) { return kit::demo_main(argc, argv, kDemos); }
