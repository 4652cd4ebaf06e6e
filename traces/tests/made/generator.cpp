#include "traces/tests/generator.h"

#include <algorithm>
#include <deque>
#include <random>

#include "traces/schema/schema.h"
#include "traces/tests/made/event_writer.h"
#include "traces/tests/made/traced_tree.h"

namespace fiberscope::trace::testing {
namespace {

std::string field(std::string_view key, std::int64_t value) { return "," + EventWriter::number(key, value); }
std::string text_field(std::string_view key, std::string_view value) { return "," + EventWriter::word(key, value); }

// A scheduler on one machine: main resumes coroutines, which yield, sleep, wait with a limit, or end.
class SchedulerProgram {
  public:
    explicit SchedulerProgram(const Options& o)
        : options_(o), random_(o.seed), sleeping_(w_, "sleeping", o.coroutines + 1), alive_(o.coroutines) {}
    std::string run();

  private:
    std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    std::string registers(std::uint32_t from, std::uint32_t to);
    void start();
    void turn();
    void make_ready(std::uint32_t co);
    void wake_sleepers();
    void wake_a_waiter();
    void run_one(std::uint32_t co);
    void leave(std::uint32_t co);
    void side_events(std::uint32_t co);

    Options options_;
    std::mt19937 random_;
    EventWriter w_;
    TracedTree sleeping_;
    std::uint32_t alive_;
    std::deque<std::uint32_t> ready_;
    std::vector<std::uint32_t> waiting_;
    std::vector<bool> started_;
    std::uint32_t timers_ = 0;
};

std::string SchedulerProgram::registers(std::uint32_t from, std::uint32_t to) {
    if (!options_.registers) return {};
    const auto values = [&](std::uint32_t co) {
        return "{\"rsp\":\"top-0x" + std::to_string(10 + co % 3) + "\",\"rip\":\"yield+0x1f\",\"rbx\":\"" +
               std::to_string(co) + "\"}";
    };
    return ",\"saved\":" + values(from) + ",\"loaded\":" + values(to);
}

void SchedulerProgram::make_ready(std::uint32_t co) {
    w_.member("insert", "ready", co);
    ready_.push_back(co);
}

void SchedulerProgram::start() {
    started_.resize(options_.coroutines + 1);
    w_.spawn(0, "thread");
    w_.set("ready", "ready", "queue");
    w_.set("sleeping", "sleep", "rbtree");
    w_.set("waiting", "wait", "map");
    w_.set("timers", "timer", "heap");
    w_.set("wheel", "sleep", "wheel");
    for (std::uint32_t co = 1; co <= options_.coroutines; ++co) {
        const bool shared = co % 5 == 0;
        w_.spawn(co, "task",
                 field("parent", 0) + field("stack", 65536) + text_field("backend", shared ? "shared" : "asm"));
        w_.state(co, "new", "ready", "spawned");
        make_ready(co);
        w_.work(10);
    }
}

void SchedulerProgram::wake_sleepers() {
    while (!sleeping_.empty() && sleeping_.key(sleeping_.first()) <= w_.now()) {
        const std::uint32_t co = sleeping_.first();
        sleeping_.remove(co);
        const auto waiter = std::find(waiting_.begin(), waiting_.end(), co);
        w_.state(co, waiter == waiting_.end() ? "sleeping" : "waiting", "ready", "deadline");
        if (waiter != waiting_.end()) {
            waiting_.erase(waiter);
            w_.member("remove", "waiting", co, text_field("key", "fd " + std::to_string(co)));
        }
        make_ready(co);
    }
}

void SchedulerProgram::wake_a_waiter() {
    if (waiting_.empty()) return;
    const auto waiter = waiting_.begin() + pick(static_cast<std::uint32_t>(waiting_.size()));
    const std::uint32_t co = *waiter;
    waiting_.erase(waiter);
    w_.member("remove", "waiting", co, text_field("key", "fd " + std::to_string(co)));
    sleeping_.remove(co);
    w_.state(co, "waiting", "ready", "signal");
    make_ready(co);
}

// The events of the running coroutine other than switches; some of each kind.
void SchedulerProgram::side_events(std::uint32_t co) {
    const auto event = [&](std::string_view ev, const std::string& rest) {
        w_.event(EventWriter::word("ev", ev) + rest);
    };
    const auto mine = field("co", co);
    switch (pick(12)) {
    case 0: return event("note", text_field("text", "round and \\\"round\\\"") + mine);
    case 1:
        event("lock", mine + text_field("object", "table") + text_field("op", "acquire") + text_field("mode", "mutex"));
        return event("lock",
                     mine + text_field("object", "table") + text_field("op", "release") + text_field("mode", "mutex"));
    case 2:
        return event(
            "io", mine + field("fd", 7) + text_field("op", "read") + text_field("phase", "done") + field("result", 12));
    case 3: {
        const std::uint32_t timer = timers_++;
        event("timer", field("timer", timer) + text_field("op", "add") + field("deadline", 99) + mine);
        event("insert",
              text_field("set", "timers") + field("timer", timer) + text_field("key", "99 ns") + field("at", timer));
        if (timer == 0) return;
        event("move", text_field("set", "timers") + field("timer", timer) + field("at", 0));
        event("move", text_field("set", "timers") + field("timer", timer - 1) + field("at", timer));
        return;
    }
    case 4: return event("hand", text_field("set", "wheel") + field("at", static_cast<std::int64_t>(w_.now() % 60)));
    case 5: return event("defer", mine + text_field("op", "push") + field("n", 1));
    case 6: return event("stack", mine + text_field("op", "reuse") + field("bytes", 65536));
    case 7: return event("poll", text_field("phase", "add") + field("fd", 7));
    case 8: return event("access", mine + field("stack", 0) + field("offset", 64) + ",\"owner\":null");
    default: return;
    }
}

void SchedulerProgram::leave(std::uint32_t co) {
    const std::uint64_t until = w_.now() + 100 + pick(2000);
    const std::string limit = field("until", static_cast<std::int64_t>(until)) + registers(co, 0);
    const std::uint32_t choice = pick(20);
    if (choice == 0 && alive_ > 2) {
        --alive_;
        return w_.transfer(co, 0, "exit", "dead", registers(co, 0));
    }
    if (choice < 8) {
        w_.transfer(co, 0, "yield", "ready", registers(co, 0));
        return make_ready(co);
    }
    if (choice < 14) {
        w_.transfer(co, 0, "yield", "sleeping", limit);
        return sleeping_.insert(co, until);
    }
    w_.transfer(co, 0, "yield", "waiting",
                limit + text_field("reason", "fd {0} to be readable") + text_field("values", std::to_string(co)));
    w_.member("insert", "waiting", co, text_field("key", "fd " + std::to_string(co)));
    waiting_.push_back(co);
    sleeping_.insert(co, until);
}

void SchedulerProgram::run_one(std::uint32_t co) {
    w_.member("remove", "ready", co);
    const bool shared = co % 5 == 0;
    const auto copy = [&](const char* direction) {
        w_.event(EventWriter::word("ev", "copy") + field("co", co) + text_field("dir", direction) +
                 field("bytes", 100 + co) + field("stack", 0));
    };
    if (shared) w_.event(EventWriter::word("ev", "own") + field("stack", 0) + field("co", co));
    if (shared && started_[co]) copy("in");
    w_.transfer(0, co, started_[co] ? "resume" : "start", "normal", registers(0, co));
    started_[co] = true;
    w_.work(50 + pick(100));
    side_events(co);
    if (shared) copy("out");
    leave(co);
    w_.work(10);
}

void SchedulerProgram::turn() {
    wake_sleepers();
    if (pick(3) == 0) wake_a_waiter();
    if (ready_.empty()) {
        w_.event(EventWriter::word("ev", "poll") + text_field("phase", "enter") + field("timeout", 100));
        w_.work(500);
        return w_.event(EventWriter::word("ev", "poll") + text_field("phase", "leave") + field("ready", 0));
    }
    const std::uint32_t co = ready_.front();
    ready_.pop_front();
    run_one(co);
}

std::string SchedulerProgram::run() {
    start();
    while (w_.count() < options_.events) turn();
    return document(w_.text());
}

// A random non-empty word of an enumeration.
template <class E>
std::string any(std::mt19937& random, std::string_view key) {
    std::string_view word;
    while (word.empty()) word = kWords<E>[random() % kWords<E>.size()];
    return text_field(key, word);
}

class RandomEvents {
  public:
    explicit RandomEvents(const Options& o) : options_(o), random_(o.seed) {}
    std::string run();

  private:
    std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    std::string co(std::string_view key) { return field(key, pick(options_.coroutines)); }
    std::string co_or_null(std::string_view key) {
        return pick(4) == 0 ? ",\"" + std::string(key) + "\":null" : co(key);
    }
    std::string set() { return text_field("set", "set" + std::to_string(pick(4))); }
    std::string item() { return pick(3) == 0 ? field("timer", pick(8)) : co("co"); }
    std::string maybe(std::string text) { return pick(2) == 0 ? text : std::string(); }
    std::string key() { return maybe(text_field("key", std::to_string(pick(3)) + " ns")); }
    std::string registers() {
        return "{\"rsp\":\"top-0x" + std::to_string(pick(4)) + "\",\"rip\":\"f+0x" + std::to_string(pick(4)) + "\"" +
               maybe(text_field("rbx", std::to_string(pick(2)))) + "}";
    }
    std::string fields(Kind kind);
    std::string fields_of_sets(Kind kind);
    std::string other_fields(Kind kind);

    Options options_;
    std::mt19937 random_;
};

std::string RandomEvents::fields_of_sets(Kind kind) {
    switch (kind) {
    case Kind::set: return set() + any<Role>(random_, "role") + any<Structure>(random_, "structure") + key();
    case Kind::insert:
    case Kind::remove: return set() + item() + key() + maybe(field("at", pick(6)));
    case Kind::move: return set() + item() + field("at", pick(6));
    case Kind::hand: return set() + field("at", pick(60));
    default:
        if (pick(5) == 0) return set() + co_or_null("root");
        return set() + co("node") + maybe(co_or_null("left")) + maybe(co_or_null("right")) +
               maybe(co_or_null("parent")) + maybe(any<Color>(random_, "color"));
    }
}

std::string RandomEvents::other_fields(Kind kind) {
    switch (kind) {
    case Kind::own: return field("stack", pick(3)) + co_or_null("co");
    case Kind::copy:
        return co("co") + any<Direction>(random_, "dir") + field("bytes", pick(99)) + field("stack", pick(3));
    case Kind::access: return co("co") + field("stack", pick(3)) + field("offset", pick(99)) + co_or_null("owner");
    case Kind::stack: return co("co") + any<StackOp>(random_, "op") + field("bytes", pick(99));
    case Kind::io: return co("co") + field("fd", pick(9)) + text_field("op", "read") + any<IoPhase>(random_, "phase");
    case Kind::poll: return any<PollPhase>(random_, "phase") + maybe(field("timeout", -1));
    case Kind::timer: return field("timer", pick(8)) + any<TimerOp>(random_, "op") + maybe(co("co"));
    case Kind::machine: return any<MachineOp>(random_, "op") + maybe(text_field("object", "epoll"));
    case Kind::lock:
        return co("co") + text_field("object", "l") + any<LockOp>(random_, "op") + any<LockMode>(random_, "mode");
    case Kind::defer: return co("co") + any<DeferOp>(random_, "op") + field("n", 1);
    case Kind::frame: return co("co") + any<FrameOp>(random_, "op") + text_field("frames", "f+1 n=2; main+0 n=3");
    case Kind::choice:
        return field("n", pick(99)) + any<Turn>(random_, "turn") + field("next", pick(3)) +
               maybe(text_field("others", "0, 2"));
    case Kind::name: return co("co") + text_field("name", "named " + std::to_string(pick(5)));
    default: return text_field("text", "é\\n" + std::to_string(pick(5))) + maybe(co("co"));
    }
}

std::string RandomEvents::fields(Kind kind) {
    switch (kind) {
    case Kind::spawn:
        return co("co") + any<CoKind>(random_, "kind") + text_field("name", "n") + maybe(co("parent")) +
               maybe(co("reuses"));
    case Kind::switch_:
        return co("from") + co("to") + any<Why>(random_, "why") + any<State>(random_, "left") +
               maybe(field("until", pick(9999))) + maybe(",\"saved\":" + registers()) +
               maybe(",\"loaded\":" + registers());
    case Kind::state:
        return co("co") + any<State>(random_, "from") + any<State>(random_, "to") + maybe(any<Cause>(random_, "cause"));
    case Kind::set:
    case Kind::insert:
    case Kind::remove:
    case Kind::move:
    case Kind::hand:
    case Kind::link: return fields_of_sets(kind);
    default: return other_fields(kind);
    }
}

std::string RandomEvents::run() {
    EventWriter w;
    while (w.count() < options_.events) {
        // Switches and set operations are more frequent than the rest.
        static constexpr Kind kOften[] = {Kind::switch_, Kind::insert, Kind::remove,
                                          Kind::link,    Kind::state,  Kind::move};
        const Kind kind = pick(2) == 0 ? kOften[pick(std::size(kOften))] : static_cast<Kind>(pick(kWords<Kind>.size()));
        w.event(EventWriter::word("ev", word(kind)) + fields(kind), pick(3));
        w.work(pick(20));
    }
    return document(w.text());
}

}  // namespace

std::string document(std::string_view lines, std::uint64_t dropped) {
    std::string text =
        "{\"fiberscope\":1,\n\"meta\":{\"lab\":\"04_scheduler\",\"program\":\"generated\",\"clock\":\"virtual\"},"
        "\n\"events\":[\n";
    std::size_t count = 0;
    text.reserve(lines.size() + lines.size() / 50 + 300);
    while (!lines.empty()) {
        const std::size_t end = lines.find('\n');
        if (count++ > 0) text += ",\n";
        text += lines.substr(0, end);
        lines.remove_prefix(end + 1);
    }
    return text + "\n],\n\"end\":{\"events\":" + std::to_string(count) + ",\"dropped\":" + std::to_string(dropped) +
           "}}\n";
}

std::string scheduler_trace(const Options& options) { return SchedulerProgram(options).run(); }
std::string random_trace(const Options& options) { return RandomEvents(options).run(); }

std::string mixed_trace(const Options& options) {
    EventWriter w;
    std::mt19937 random(options.seed);
    w.spawn(0, "thread");
    w.set("ready", "ready", "queue");
    std::deque<std::uint32_t> ready;
    for (std::uint32_t co = 1; co <= options.coroutines; ++co) {
        w.spawn(co, "task", field("parent", 0) + field("stack", 65536));
        w.state(co, "new", "ready", "spawned");
        w.member("insert", "ready", co);
        ready.push_back(co);
    }
    std::vector<bool> started(options.coroutines + 1);
    while (w.count() < options.events) {
        // Ten events: six switches, three set operations (one and a half rounds of the queue), one note or state.
        for (int i = 0; i < 6; ++i) {
            const std::uint32_t co = ready.front();
            ready.pop_front();
            if (i % 2 == 0) w.member("remove", "ready", co);
            w.transfer(0, co, started[co] ? "resume" : "start", "normal");
            started[co] = true;
            w.work(100 + random() % 1000);
            w.transfer(co, 0, "yield", "ready");
            if (i % 2 == 0) w.member("insert", "ready", co);
            ready.push_back(co);
        }
        for (int i = 0; i < 2; ++i)
            w.event(EventWriter::word("ev", "note") + text_field("text", "step " + std::to_string(random() % 100)));
    }
    return document(w.text());
}

std::string large_queue_trace(std::size_t events, std::uint32_t members) {
    EventWriter w;
    std::mt19937 random(7);
    w.spawn(0, "thread");
    w.set("ready", "ready", "queue");
    for (std::uint32_t co = 1; co <= members; ++co) {
        w.spawn(co, "task");
        w.state(co, "new", "ready", "spawned");
        w.member("insert", "ready", co);
    }
    std::uint32_t front = 1;
    while (w.count() < events) {
        w.member("remove", "ready", front);
        w.member("insert", "ready", front);
        front = front % members + 1;
        const auto middle = static_cast<std::uint32_t>(1 + random() % members);
        w.member("remove", "ready", middle);
        w.member("insert", "ready", middle, field("at", members / 2));
        w.work(10);
    }
    return document(w.text());
}

}  // namespace fiberscope::trace::testing
