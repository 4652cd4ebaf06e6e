// A toy: the coroutines of a virtual machine. A coroutine is a pc and a list of frames; a switch is the assignment of
// one pointer. See ../interpreter.md. Build and run: the command is there.
#include <cstddef>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace {

enum class Op { say, yield, call, ret, count_down, native_twice };

struct Instruction {
    Op op;
    const char* text = "";   // say
    std::size_t target = 0;  // call, count_down, native_twice: where to go
};

/// One call of the interpreted program: where its caller goes on, and its one local.
struct Frame {
    std::size_t return_to;
    int local;
};

struct Coroutine {
    const char* name;
    std::size_t pc;
    std::vector<Frame> frames;  // on the heap: nothing of it lies on the interpreter's own stack
    int native_depth = 0;       // native functions of the interpreter that this coroutine stands in
};

class Machine {
  public:
    explicit Machine(std::vector<Instruction> code) : code_(std::move(code)) {}

    void spawn(const char* name, std::size_t start, int local) {
        ready_.push_back(std::make_unique<Coroutine>(Coroutine{name, start, {{0, local}}}));
    }

    /// The scheduler: the first of the ready ones runs until it yields or ends.
    void run() {
        while (!ready_.empty()) {
            running_ = std::move(ready_.front());
            ready_.pop_front();
            if (execute(0) && running_ != nullptr) ready_.push_back(std::move(running_));
        }
    }

  private:
    /// Runs the current coroutine until it yields (true), or until it has no more than `depth` frames (false).
    bool execute(std::size_t depth) {
        Coroutine& co = *running_;
        while (co.frames.size() > depth) {
            const Instruction& next = code_[co.pc++];
            switch (next.op) {
            case Op::say: std::printf("%s %d: %s\n", co.name, co.frames.back().local, next.text); break;
            case Op::yield:
                if (co.native_depth == 0) return true;  // this is the whole switch: the loop goes on with another
                std::printf("%s: refused: a native frame lies between this yield and the interpreter's loop\n",
                            co.name);
                break;
            case Op::call:
                co.frames.push_back({co.pc, co.frames.back().local});
                co.pc = next.target;
                break;
            case Op::ret:
                co.pc = co.frames.back().return_to;
                co.frames.pop_back();
                break;
            case Op::count_down:
                if (--co.frames.back().local > 0) co.pc = next.target;
                break;
            case Op::native_twice: twice([&] { call_back(co, next.target); }); break;
            }
        }
        return false;
    }

    /// A native function with a callback, as a sort would be. Its own frame lies on the interpreter's stack.
    static void twice(const std::function<void()>& callback) {
        callback();
        callback();
    }

    void call_back(Coroutine& co, std::size_t target) {
        co.frames.push_back({co.pc, co.frames.back().local});
        co.pc = target;
        ++co.native_depth;
        execute(co.frames.size() - 1);
        --co.native_depth;
    }

    std::vector<Instruction> code_;
    std::deque<std::unique_ptr<Coroutine>> ready_;
    std::unique_ptr<Coroutine> running_;
};

}  // namespace

int main() {
    constexpr std::size_t kWorker = 0, kHelper = 3, kNative = 6;
    Machine machine({
        {Op::call, "", kHelper},          // 0  worker: calls helper, until its local is 0
        {Op::count_down, "", kWorker},    // 1
        {Op::ret},                        // 2
        {Op::say, "in a call"},           // 3  helper: yields from within a call
        {Op::yield},                      // 4
        {Op::ret},                        // 5
        {Op::native_twice, "", kHelper},  // 6  native: the callback of a native function wants to yield
        {Op::ret},                        // 7
    });
    machine.spawn("a", kWorker, 3);
    machine.spawn("b", kWorker, 2);
    machine.spawn("n", kNative, 1);
    machine.run();
}
