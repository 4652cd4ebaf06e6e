// Generated traces of schedulers: several machines that steal, and a tree of sleepers.
#include <algorithm>
#include <array>

#include "traces/tests/generator.h"
#include "traces/tests/made/traced_tree.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/made/trace_script.h"

namespace fiberscope::viewer::tests {
namespace {

/// Three machines, each with a thread of its own number and a local queue, and a global queue.
class Machines {
  public:
    Machines() : make_("machines", ",\"strategy\":\"m_n\"") {
        for (unsigned m = 0; m < 3; ++m) make_.thread(m, m == 0 ? "main" : "thread " + std::to_string(m), m);
        declare("global", "ready", "");
        for (unsigned m = 0; m < 3; ++m) declare(local(m), "ready", ",\"owner\":" + std::to_string(m));
        declare("waiters of table", "lock", "");
        for (unsigned m = 0; m < 3; ++m) machine(m, "start");
    }

    static std::string local(unsigned m) { return "local " + std::to_string(m); }

    void spawn(unsigned co, const std::string& name, const std::string& queue) {
        make_.task(co, 0, name);
        state(0, co, "new", "ready", "spawned");
        put(0, co, queue);
    }
    void put(unsigned m, unsigned co, const std::string& set) { member(m, "insert", co, set); }
    void take(unsigned m, unsigned co, const std::string& set) { member(m, "remove", co, set); }
    void machine(unsigned m, const std::string& op, const std::string& more = "") {
        make_.event("\"machine\",\"op\":\"" + op + "\"" + more, m);
        make_.spend(100);
    }
    /// The thief takes `stolen` from the local queue of the victim.
    void steal(unsigned thief, unsigned victim, std::initializer_list<unsigned> stolen) {
        machine(thief, "steal",
                ",\"victim\":" + std::to_string(victim) + ",\"count\":" + std::to_string(stolen.size()));
        for (const unsigned co : stolen) {
            take(thief, co, local(victim));
            put(thief, co, local(thief));
        }
    }
    void run(unsigned m, unsigned co, const std::string& queue, unsigned ns) {
        take(m, co, queue);
        make_.jump(m, co, entered_[co] ? "resume" : "start", "normal", "", m);
        entered_[co] = true;
        make_.spend(ns);
    }
    void yield(unsigned m, unsigned co) {
        make_.jump(co, m, "yield", "ready", "", m);
        put(m, co, local(m));
    }
    void end(unsigned m, unsigned co) { make_.jump(co, m, "exit", "dead", "", m); }
    void lock(unsigned m, unsigned co, const std::string& op, const std::string& mode) {
        make_.event("\"lock\",\"co\":" + std::to_string(co) + ",\"object\":\"table\",\"op\":\"" + op +
                        "\",\"mode\":\"" + mode + "\"",
                    m);
        make_.spend(200);
    }
    void wait_for_lock(unsigned m, unsigned co, const std::string& mode) {
        lock(m, co, "block", mode);
        make_.jump(co, m, "yield", "waiting", ",\"reason\":\"the lock 'table'\"", m);
        put(m, co, "waiters of table");
    }
    void unlocked(unsigned m, unsigned co, const std::string& mode) {
        take(m, co, "waiters of table");
        lock(m, co, "acquire", mode);
        state(m, co, "waiting", "ready", "unlocked");
        put(m, co, local(m));
    }
    void defer(unsigned m, unsigned co, const std::string& op, unsigned n) {
        make_.event("\"defer\",\"co\":" + std::to_string(co) + ",\"op\":\"" + op + "\",\"n\":" + std::to_string(n), m);
        make_.spend(100);
    }
    std::string finish() { return make_.finish(); }

  private:
    void declare(const std::string& set, const std::string& role, const std::string& more) {
        make_.event("\"set\",\"set\":\"" + set + "\",\"role\":\"" + role + "\",\"structure\":\"queue\"" + more);
    }
    void member(unsigned m, const char* ev, unsigned co, const std::string& set) {
        make_.event("\"" + std::string(ev) + "\",\"set\":\"" + set + "\",\"co\":" + std::to_string(co), m);
        make_.spend(50);
    }
    void state(unsigned m, unsigned co, const std::string& from, const std::string& to, const std::string& cause) {
        make_.event("\"state\",\"co\":" + std::to_string(co) + ",\"from\":\"" + from + "\",\"to\":\"" + to +
                        "\",\"cause\":\"" + cause + "\"",
                    m);
        make_.spend(50);
    }

    TraceScript make_;
    std::array<bool, 16> entered_{};
};

}  // namespace

std::string machines() {
    enum : unsigned { a = 3, b, c, d, e, first, second, writer };
    Machines run;
    for (const auto& [co, name] : {std::pair{a, "A"}, {b, "B"}, {c, "C"}, {d, "D"}, {e, "E"}})
        run.spawn(co, name, Machines::local(0));
    run.spawn(first, "worker", "global");
    run.spawn(second, "worker", "global");
    run.spawn(writer, "writer", "global");

    run.run(0, a, "local 0", 1500);
    run.run(1, first, "global", 1000);
    run.run(2, writer, "global", 1200);
    run.lock(0, a, "acquire", "read");
    run.defer(0, a, "push", 1);
    run.wait_for_lock(2, writer, "write");
    run.run(2, second, "global", 900);
    run.end(1, first);
    run.steal(1, 0, {b, c});
    run.run(1, b, "local 1", 1400);
    run.lock(1, b, "acquire", "read");
    run.yield(0, a);
    run.end(2, second);
    run.steal(2, 0, {d});
    run.run(2, d, "local 2", 800);
    run.run(0, e, "local 0", 1600);
    run.yield(1, b);
    run.end(2, d);
    run.machine(2, "park");
    run.run(1, c, "local 1", 700);
    run.end(0, e);
    run.run(0, a, "local 0", 1100);
    run.lock(0, a, "release", "read");
    run.defer(0, a, "run", 1);
    run.end(0, a);
    run.machine(0, "park");
    run.end(1, c);
    run.run(1, b, "local 1", 900);
    run.lock(1, b, "release", "read");
    run.unlocked(1, writer, "write");
    run.machine(2, "unpark");
    run.steal(2, 1, {writer});
    run.run(2, writer, "local 2", 2000);
    run.lock(2, writer, "release", "write");
    run.end(2, writer);
    run.end(1, b);
    for (const unsigned m : {2U, 1U, 0U}) run.machine(m, "stop");
    return run.finish();
}

std::string sleepers(unsigned count) {
    namespace writing = fiberscope::trace::testing;
    writing::EventWriter writer;
    writer.spawn(0, "thread");
    for (unsigned co = 1; co <= count; ++co) writer.spawn(co, "task", ",\"parent\":0");
    writer.set("sleeping", "sleep", "rbtree");
    writing::TracedTree tree(writer, "sleeping", count + 1);
    // Deadlines in another order than the sleepers, with a few equal ones.
    const auto deadline = [&](unsigned co) { return 1000000 + (co * 37 % (count + 1)) / 2 * 2000; };
    for (unsigned co = 1; co <= count; ++co) {
        writer.work(100);
        writer.transfer(0, co, "start", "normal");
        writer.work(100);
        writer.transfer(co, 0, "yield", "sleeping", ",\"until\":" + std::to_string(deadline(co)));
        tree.insert(co, deadline(co));
    }
    writer.work(2000000 + 1000 * count);
    while (!tree.empty()) {
        const std::uint32_t co = tree.first();
        tree.remove(co);
        writer.transfer(0, co, "resume", "normal");
        writer.work(100);
        writer.transfer(co, 0, "exit", "dead");
        writer.work(100);
    }
    return writing::document(writer.text());
}

}  // namespace fiberscope::viewer::tests
