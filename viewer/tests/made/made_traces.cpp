#include "viewer/tests/made/made_traces.h"

#include "viewer/tests/made/trace_script.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <vector>

namespace fiberscope::viewer::tests {
namespace {

std::string numbered(const char* word, unsigned n) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%s %02u", word, n);
    return text.data();
}

std::string registers(const char* key, unsigned depth, const std::string& place, unsigned rbx) {
    std::ostringstream out;
    out << std::hex << ",\"" << key << "\":{\"rsp\":\"top-0x" << depth << "\",\"rbp\":\"top-0x" << depth - 0x20
        << "\",\"rip\":\"" << place << "\",\"rbx\":\"0x" << rbx << "\",\"r12\":\"0x0\",\"r13\":\"0x1\",\"r14\":\"0x2\","
        << "\"r15\":\"0xdeadbeef\",\"mxcsr\":\"0x1f80\",\"x87cw\":\"0x37f\"}";
    return out.str();
}

}  // namespace

std::string round_robin(unsigned workers, unsigned rounds) {
    TraceScript make("round_robin");
    make.thread(0, "main");
    std::vector<unsigned> left(workers + 1, 0);
    unsigned chance = 7;
    const auto next = [&] { return chance = chance * 1103515245U + 12345U; };
    for (unsigned co = 1; co <= workers; ++co) {
        make.task(co, 0, numbered("worker", co));
        make.spend(50);
        left[co] = 1 + (next() >> 16) % rounds;
    }
    std::vector<bool> entered(workers + 1, false);
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned co = 1; co <= workers; ++co) {
            if (left[co] == 0) continue;
            make.jump(0, co, entered[co] ? "resume" : "start", "normal");
            entered[co] = true;
            make.spend(1000 + (next() >> 16) % 4000);
            const bool last = --left[co] == 0;
            make.jump(co, 0, last ? "exit" : "yield", last ? "dead" : "suspended");
            make.spend(150);
        }
    }
    return make.finish();
}

std::string two_contexts(unsigned turns) {
    TraceScript make("two_contexts");
    make.thread(0, "main");
    make.task(1, 0, "ping", 16384);
    make.task(2, 0, "pong", 16384);
    make.jump(0, 1, "swap", "suspended",
              registers("saved", 0x180, "main+0x91", 7) + registers("loaded", 0x40, "entry", 0));
    for (unsigned turn = 0; turn < turns; ++turn) {
        make.spend(2000);
        const bool to_pong = turn % 2 == 0;
        const unsigned loaded = turn == 0 ? 0 : 0x28 + turn - 1;
        make.jump(to_pong ? 1 : 2, to_pong ? 2 : 1, turn == 0 ? "start" : "swap", "suspended",
                  registers("saved", 0x58, to_pong ? "ping+0x1f" : "pong+0x1f", 0x28 + turn) +
                      registers("loaded", turn == 0 ? 0x40 : 0x58,
                                turn == 0 ? "entry"
                                : to_pong ? "pong+0x1f"
                                          : "ping+0x1f",
                                loaded));
    }
    return make.finish();
}

std::string all_states() {
    TraceScript make("all_states");
    make.thread(0, "main");
    make.thread(1, "second thread", 1);
    make.task(2, 0, "sleeper");
    make.task(3, 0, "reader");
    make.task(4, 0, "queued");
    make.task(5, 0, "never entered");
    make.task(6, 0, "short");
    make.spend(1000);
    make.jump(0, 2, "start", "normal");
    make.spend(2000);
    make.jump(2, 0, "yield", "sleeping", ",\"until\":60000");
    make.jump(0, 3, "start", "normal");
    make.spend(2000);
    make.jump(3, 0, "yield", "waiting", ",\"until\":90000,\"reason\":\"fd {0} to be readable\",\"values\":\"7\"");
    make.event("\"state\",\"co\":4,\"from\":\"new\",\"to\":\"ready\",\"cause\":\"spawned\"");
    make.spend(1000);
    make.event("\"note\",\"text\":\"half way\",\"co\":0");
    make.jump(0, 6, "start", "normal");
    make.spend(3000);
    make.jump(6, 0, "exit", "dead");
    make.spend(9000);
    make.event("\"fault\",\"co\":0,\"text\":\"stack overflow\"");
    return make.finish();
}

std::string nested(unsigned depth) {
    TraceScript make("nested");
    make.thread(0, "main");
    for (unsigned co = 1; co <= depth; ++co) {
        make.task(co, co - 1, numbered("level", co));
        make.jump(co - 1, co, "start", "normal");
        make.spend(1000);
    }
    for (unsigned co = depth; co >= 1; --co) {
        make.spend(1000);
        make.jump(co, co - 1, "exit", "dead");
    }
    return make.finish();
}

namespace {

constexpr const char* kCloudwu =
    ",\"names\":{\"READY\":\"new\",\"RUNNING\":\"running\",\"SUSPEND\":\"suspended\",\"DEAD\":\"dead\"}";

/// Coroutines on shared stacks and their occupants; copies happen only when the occupant changes.
class SharedStackScript {
  public:
    SharedStackScript(TraceScript& make, unsigned workers, unsigned stacks)
        : make_(make), owners_(stacks, 0), bytes_(workers + 1, 0), buffers_(workers + 1, 0) {}

    unsigned stack_of(unsigned co) const { return (co - 1) % static_cast<unsigned>(owners_.size()); }
    void move_in(unsigned co) {
        const unsigned stack = stack_of(co), owner = owners_[stack];
        if (owner == co) return;
        if (owner != 0) {
            bytes_[owner] = 208 + 704 * owner + 16 * (++turn_ % 7);
            while (buffers_[owner] < bytes_[owner]) buffers_[owner] = std::max(512U, 2 * buffers_[owner]);
            make_.copy(owner, "out", bytes_[owner], buffers_[owner], stack);
        }
        make_.own(stack, std::to_string(co));
        owners_[stack] = co;
        if (bytes_[co] != 0) make_.copy(co, "in", bytes_[co], buffers_[co], stack);
    }
    void forget(unsigned co) {
        owners_[stack_of(co)] = 0;
        make_.own(stack_of(co), "null");
    }

  private:
    TraceScript& make_;
    std::vector<unsigned> owners_, bytes_, buffers_;
    unsigned turn_ = 0;
};

}  // namespace

std::string shared_stacks(unsigned workers, unsigned stacks, unsigned rounds) {
    TraceScript make("owners_" + std::to_string(stacks), kCloudwu);
    make.thread(0, "main");
    for (unsigned co = 1; co <= workers; ++co)
        make.task(co, 0, std::string(1, static_cast<char>('A' + (co - 1) % 26)), 131072, "shared");
    SharedStackScript shared(make, workers, stacks);
    for (unsigned round = 0; round < rounds; ++round) {
        for (unsigned co = 1; co <= workers; ++co) {
            make.spend(300);
            shared.move_in(co);
            make.jump(0, co, round == 0 ? "start" : "resume", "normal");
            make.spend(900 + 200 * co);
            const bool last = round + 1 == rounds;
            make.jump(co, 0, last ? "exit" : "yield", last ? "dead" : "suspended");
            if (last) shared.forget(co);
        }
    }
    return make.finish();
}

std::string hazard() {
    TraceScript make("hazard", kCloudwu);
    make.thread(0, "main");
    make.task(1, 0, "A", 131072, "shared");
    make.task(2, 0, "B", 131072, "shared");
    SharedStackScript shared(make, 2, 1);
    shared.move_in(1);
    make.jump(0, 1, "start", "normal");
    make.spend(1000);
    make.access(1, 88, 1);
    make.jump(1, 0, "yield", "suspended");
    make.access(0, 88, 1);
    make.spend(800);
    shared.move_in(2);
    make.jump(0, 2, "start", "normal");
    make.spend(1000);
    make.access(2, 88, 2);
    make.spend(500);
    make.jump(2, 0, "yield", "suspended");
    make.access(0, 88, 2);
    make.spend(500);
    return make.finish();
}

std::string pool() {
    TraceScript make("pool", ",\"names\":{\"READY\":\"new\",\"TERM\":\"dead\"}");
    make.thread(0, "main");
    make.event("\"set\",\"set\":\"fiber pool\",\"role\":\"pool\",\"structure\":\"queue\"");
    for (unsigned co = 1; co <= 2; ++co) {
        make.task(co, 0, co == 1 ? "first" : "second");
        make.jump(0, co, "start", "normal");
        make.spend(1000);
        make.jump(co, 0, "exit", "dead");
        make.event("\"insert\",\"set\":\"fiber pool\",\"co\":" + std::to_string(co));
    }
    make.spend(500);
    make.event("\"remove\",\"set\":\"fiber pool\",\"co\":2");
    make.task(3, 0, "third", 65536, "asm", ",\"reuses\":2");
    make.spend(500);
    make.jump(0, 3, "start", "normal");
    make.spend(1000);
    make.jump(3, 0, "yield", "suspended");
    return make.finish();
}

trace::Trace parsed(const std::string& text, const std::string& name) {
    std::istringstream in(text);
    trace::Trace trace = trace::read(in, name);
    trace.file = name;
    return trace;
}

}  // namespace fiberscope::viewer::tests
