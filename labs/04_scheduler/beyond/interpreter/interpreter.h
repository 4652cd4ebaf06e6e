// Step 4.15: the interpreter's coroutine. It has no native stack, but a pc, a list of frames and a stack of operands,
// all on the heap. As in the published M:G design, whose Gs are coroutines of a virtual machine (RVM_CallInfo,
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
    std::size_t return_to;  ///< the instruction at which the frame below continues
    std::size_t base;       ///< index of its first local in the operands; followed by its temporary values
    std::vector<DeferredCall> deferred{};
    Number result = 0;
    bool leaving = false;             ///< it has returned or failed, and its deferred calls are being made
    std::exception_ptr failure = {};  ///< its failure, or null
};

/// How a coroutine leaves; as the parameters of a backend's yield.
struct Leaving {
    State left;
    std::int64_t until = trace::kAbsent;
    const char* reason = nullptr;
};

/// The coroutine. No part of it is on a native stack.
class InterpretedCoroutine : public kit::Core {
  public:
    InterpretedCoroutine(kit::Body&& body, Attributes&& attributes);

    std::vector<Frame> frames;     ///< the innermost one last
    std::vector<Number> operands;  ///< the locals of all frames, and the operands of instructions
    std::size_t resume_pc = 0;     ///< the next instruction when it is resumed
    /// Number of frames when the current loop began: 0, or, in a loop started by a native function to call back, the
    /// frames below the native function. The loop ends when no more than these are left.
    std::size_t floor = 0;
    std::exception_ptr failure;        ///< failure of the last frame of a loop, or null
    const Program* program = nullptr;  ///< not owned
    kit::Body body;                    ///< called when its frames are gone
};

/// Runs the interpreted coroutines of a machine; one per thread. `pc` acts as a register: a coroutine is entirely on
/// the heap only while it is not running.
class Interpreter {
  public:
    /// The coroutine that is running, or ran last.
    InterpretedCoroutine* co = nullptr;
    std::size_t pc = 0;  ///< the current instruction

    // ---- what the student writes ------------------------------------------------------------------------------------

    /// Continues `next` where it left.
    void enter(InterpretedCoroutine& next);
    /// Called when the program yields, sleeps or parks: it continues after this instruction when it is resumed. Its
    /// whole state must be on the heap before leave_loop() is called. Throws Misuse (native_below) in a callback from a
    /// native function, whose frame is on the thread's stack and cannot be saved.
    void yield(const Leaving& how);
    /// Pushes a frame, with `argument` and the other locals (0) on the operands. The frame below will continue at
    /// `return_to`.
    void call(const Function& function, Number argument, std::size_t return_to);
    /// Returns from the top frame, with the value on top of the operands.
    void ret();
    /// Makes the top frame fail.
    void fail(std::exception_ptr why);
    /// Defers a call of `function` to the end of the top frame.
    void defer(const Function& function, Number argument);
    /// Leaves the top frame, which has returned or failed: makes its deferred calls, last one first, then pops it with
    /// its operands. A frame that has returned pushes its result on the operands of the frame below, unless that one is
    /// leaving, which means that this was a deferred call. A failed frame pushes nothing, and makes the frame below
    /// fail too. When no frame above the floor is left, the failure is in co->failure, or the result on the operands.
    /// Returns when a frame has instructions to execute, or when none is left.
    void leave_frame();

    // ---- what is given ----------------------------------------------------------------------------------------------

    Number pop();
    void put(Number value) { co->operands.push_back(value); }
    /// Ends the loop and passes `how` to the machine, which publishes the coroutine to other machines.
    void leave_loop(const Leaving& how) noexcept { leaving_ = how, left_ = true; }
    /// Removes and returns the last deferred call of a frame; there must be one. Recorded.
    DeferredCall pop_deferred(Frame& frame);
    /// Calls a function of the running program from a native function, and returns its result. Rethrows its failure.
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

/// Starts `function` of `program` with `argument` as a G of this M:G scheduler, alongside native ones. Throws
/// std::invalid_argument if there is no such function, std::logic_error for any other scheduler.
Handle go_interpreted(const Program& program, std::string_view function, Number argument, Attributes attributes = {});

/// "visit+3 n=2; main+7 i=0": describes the frames of a suspended coroutine, innermost first; see the event `frame`.
std::string frames_in_words(const InterpretedCoroutine& co, std::size_t pc);

extern const kit::CoroutineBackend interpreter_backend;

}  // namespace fiberscope::lab04
