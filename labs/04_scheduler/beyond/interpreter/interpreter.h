// Step 4.15: the interpreter's coroutine. It has no native stack: it is a pc, a list of frames and a stack of operands,
// all in the heap. As in the published M:G design, whose Gs are coroutines of a virtual machine (RVM_CallInfo,
// RVM_RuntimeStack, coroutine_resume_pc).
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>
#include <vector>

#include "labs/04_scheduler/beyond/interpreter/program.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/run/coroutine.h"

namespace fiberscope::lab04 {

/// A call that a frame has deferred.
struct DeferredCall {
    const Function* function;
    Number argument;
};

/// One call of the interpreted program (RVM_CallInfo).
struct Frame {
    const Function* function;
    std::size_t return_to;  ///< the instruction at which the frame below goes on
    std::size_t base;       ///< where its locals begin among the operands; behind them lie the values that it uses
    std::vector<DeferredCall> deferred{};
    Number result = 0;
    bool leaving = false;             ///< it has returned or failed, and its deferred calls are being made
    std::exception_ptr failure = {};  ///< by what it failed; null if it did not
};

/// How a coroutine leaves, as a backend's yield has it.
struct Leaving {
    State left;
    std::int64_t until = trace::kAbsent;
    const char* reason = nullptr;
};

/// The coroutine: nothing of it lies on a stack of the computer.
class InterpretedCoroutine : public kit::Core {
  public:
    InterpretedCoroutine(kit::Body&& body, Attributes&& attributes);

    std::vector<Frame> frames;     ///< the innermost one last
    std::vector<Number> operands;  ///< the locals of all frames, and the values on which instructions work
    std::size_t resume_pc = 0;     ///< where it goes on when it is resumed
    /// The frames that were there when the loop began that runs now: 0, or, in a loop that a native function has begun
    /// to call back, those below the native function. That loop is over when no more are left.
    std::size_t floor = 0;
    std::exception_ptr failure;        ///< by what the last frame of a loop failed; null if it did not
    const Program* program = nullptr;  ///< not owned
    kit::Body body;                    ///< what is left to do when its frames are gone
};

/// What a machine runs interpreted coroutines with: one for each thread. Its pc is a register; only while no coroutine
/// runs here is all of one in the heap.
class Interpreter {
  public:
    /// The coroutine that runs here, or ran here last.
    InterpretedCoroutine* co = nullptr;
    std::size_t pc = 0;  ///< the instruction that is being carried out

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// Goes on with `next` where it has left.
    void enter(InterpretedCoroutine& next);
    /// The program yields, sleeps or parks: it goes on behind this instruction when it is resumed. Everything that it
    /// needs for that must be in the heap before leave_loop() is called. Throws Misuse (native_below) if a native
    /// function has called back: its frame lies on the thread's stack and cannot be put aside.
    void yield(const Leaving& how);
    /// Puts a frame on top: `argument` and the other locals (0) on the operands. The frame below will go on at
    /// `return_to`.
    void call(const Function& function, Number argument, std::size_t return_to);
    /// The frame on top returns, with the value that lies on top of the operands.
    void ret();
    /// The frame on top fails.
    void fail(std::exception_ptr why);
    /// A call of `function` when the frame on top leaves.
    void defer(const Function& function, Number argument);
    /// The frame on top has returned or failed: makes its deferred calls, the last one first, and then takes it away,
    /// with its operands. A frame that has returned leaves its result on the operands of the one below, unless that one
    /// is leaving: then it was a deferred call. One that has failed leaves nothing there, and makes that one fail too.
    /// When no frame above the floor is left, the failure is in co->failure, or the result on the operands. Returns
    /// when a frame has something to carry out, or when none is left.
    void leave_frame();

    // ---- what is given ----------------------------------------------------------------------------------------------

    Number pop();
    void put(Number value) { co->operands.push_back(value); }
    /// The loop ends; how the coroutine leaves is told to its machine, which puts it where another machine may find it.
    void leave_loop(const Leaving& how) noexcept { leaving_ = how, left_ = true; }
    /// Of a frame, the call that was deferred last; there must be one. It is recorded.
    DeferredCall pop_deferred(Frame& frame);
    /// A native function calls back a function of the program that runs here, and waits for its result. Throws what it
    /// fails by.
    Number call_back(std::string_view function, Number argument);

  private:
    friend struct InterpreterBackend;
    friend Handle go_interpreted(const Program& program, std::string_view function, Number argument,
                                 Attributes attributes);
    static void begin(Task& task, const void* with);
    void run_turn(InterpretedCoroutine& next, bool unwinds);
    void run();
    void carry_out(const Instruction& now);
    void carry_out_call(const Instruction& now);
    void compute(const Instruction& now);
    void leave_as(const Instruction& now);
    void record(trace::FrameOp op) const;
    void record_deferred(trace::DeferOp op, const Frame& frame) const;
    void end();

    Leaving leaving_{};
    bool left_ = false;
};

/// Begins `function` of `program` with `argument`, as a G of the M:G scheduler that runs here, beside native ones.
/// Throws std::invalid_argument if there is no such function, std::logic_error if the scheduler is another one.
Handle go_interpreted(const Program& program, std::string_view function, Number argument, Attributes attributes = {});

/// "visit+3 n=2; main+7 i=0": the frames of a coroutine that is left, the innermost first; see the event `frame`.
std::string frames_in_words(const InterpretedCoroutine& co, std::size_t pc);

extern const kit::CoroutineBackend interpreter_backend;

}  // namespace fiberscope::lab04
