// Given for the interpreter: its loop, the backend by which machines resume its coroutines, and their recording.
#include "labs/04_scheduler/beyond/interpreter/interpreter.h"

#include <stdexcept>
#include <utility>

#include "labs/04_scheduler/go_scheduler.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/run/transfer.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab04 {

using trace::FrameOp;
using trace::Why;

namespace {

// One per machine: its loop runs on the thread's own stack, so it stays on its thread.
Interpreter& interpreter_here() {
    thread_local Interpreter here;
    return here;
}

InterpretedCoroutine& interpreted(kit::Core& core) noexcept { return static_cast<InterpretedCoroutine&>(core); }

}  // namespace

InterpretedCoroutine::InterpretedCoroutine(kit::Body&& end, Attributes&& attributes)
    : Core(attributes.kind, trace::Backend::interpreter, kit::Stack::borrowed({}), std::move(attributes.name)),
      body(std::move(end)) {}

// ---- the loop -------------------------------------------------------------------------------------------------------

Number Interpreter::pop() {
    if (co->operands.empty()) throw std::logic_error("the program takes a value where there is none");
    const Number top = co->operands.back();
    co->operands.pop_back();
    return top;
}

void Interpreter::run() {
    while (!left_ && co->frames.size() > co->floor) {
        try {
            carry_out(co->program->at(pc));
        } catch (...) {
            fail(std::current_exception());
            record(FrameOp::fail);
        }
    }
}

void Interpreter::carry_out(const Instruction& now) {
    switch (now.op) {
    case Op::call:
    case Op::ret:
    case Op::defer:
    case Op::native: return carry_out_call(now);
    case Op::yield:
    case Op::sleep:
    case Op::park: return leave_as(now);
    case Op::jump: pc = static_cast<std::size_t>(now.operand); return;
    case Op::jump_if: pc = pop() != 0 ? static_cast<std::size_t>(now.operand) : pc + 1; return;
    case Op::work: kit::work(static_cast<std::uint64_t>(pop())); break;
    case Op::say: {
        const Number value = pop();
        kit::note((now.text + " {0}").c_str(), value);
        break;
    }
    case Op::fail: throw std::runtime_error(now.text);
    default: compute(now);
    }
    ++pc;
}

void Interpreter::compute(const Instruction& now) {
    const auto local = [&]() -> Number& {
        return co->operands[co->frames.back().base + static_cast<std::size_t>(now.operand)];
    };
    switch (now.op) {
    case Op::push: return put(now.operand);
    case Op::load: return put(local());
    case Op::store: {
        const Number value = pop();
        local() = value;
        return;
    }
    case Op::add: {
        const Number right = pop();
        return put(pop() + right);
    }
    case Op::sub: {
        const Number right = pop();
        return put(pop() - right);
    }
    default: static_cast<void>(pop());
    }
}

void Interpreter::carry_out_call(const Instruction& now) {
    const Program& program = *co->program;
    switch (now.op) {
    case Op::call: call(program.function(now.operand), pop(), pc + 1); return record(FrameOp::call);
    case Op::ret: {
        const std::size_t before = co->frames.size();
        ret();
        return record(co->frames.size() < before ? FrameOp::return_ : FrameOp::call);  // else a deferred call
    }
    case Op::defer:
        defer(program.function(now.operand), pop());
        record_deferred(trace::DeferOp::push, co->frames.back());
        break;
    default: put(program.native(now.operand)(*this, pop()));
    }
    ++pc;
}

void Interpreter::leave_as(const Instruction& now) {
    Leaving how{State::ready};
    Task& self = running_task();
    if (now.op == Op::sleep) {
        self.deadline = kit::plus(kit::now(), static_cast<std::uint64_t>(pop()));
        how = {State::sleeping, kit::in_trace(self.deadline)};
    } else if (now.op == Op::park) {
        self.deadline = kNever;
        self.reason = now.text.c_str();
        how = {State::waiting, trace::kAbsent, self.reason};
    }
    yield(how);
    if (trace::recording())
        trace::record(kit::now(), trace::frame_event(co->id(), FrameOp::at), frames_in_words(*co, co->resume_pc));
}

Number Interpreter::call_back(std::string_view function, Number argument) {
    const std::size_t here = pc, floor = std::exchange(co->floor, co->frames.size());
    call(co->program->function(function), argument, here);
    record(FrameOp::call);
    run();
    co->floor = floor;
    pc = here;
    if (std::exchange(left_, false))
        throw std::logic_error("the program has left its loop, with the frame of a native function below it");
    if (co->failure) std::rethrow_exception(std::exchange(co->failure, nullptr));
    return pop();
}

// ---- a turn ---------------------------------------------------------------------------------------------------------

void Interpreter::run_turn(InterpretedCoroutine& next, bool unwinds) {
    kit::CallerStack& callers = kit::thread_state().callers;
    kit::Core& machine = *callers.top();
    callers.push(next);
    kit::transfer_in_place(machine, next, {Why::resume, State::normal});
    running_task().reason = nullptr;
    enter(next);
    left_ = false;
    if (unwinds) {
        fail(std::make_exception_ptr(kit::Unwind{}));
        record(FrameOp::fail);
    }
    run();
    if (!left_) end();
    callers.pop();
    const Leaving how = left_ ? leaving_ : Leaving{State::dead};
    kit::transfer_in_place(next, machine, {left_ ? Why::yield : Why::exit, how.left, how.until, how.reason});
}

// As at the end of a native task's function: makes the task's deferred calls, and destroys its values.
void Interpreter::end() {
    try {
        std::exchange(co->body, nullptr)();
    } catch (const kit::Unwind&) {
        // Its frames are gone; nothing else is required.
    } catch (...) {
        co->failure = std::current_exception();
    }
}

struct InterpreterBackend {
    static void resume(kit::Core& core) {
        if (core.state() == State::dead) kit::refuse(kit::MisuseKind::resume_of_dead, core);
        if (core.state() == State::running || core.state() == State::normal)
            kit::refuse(kit::MisuseKind::resume_of_running, core);
        if (kit::thread_state().callers.full()) kit::refuse(kit::MisuseKind::nesting_too_deep, core);
        interpreter_here().run_turn(interpreted(core), false);
    }
    static void unwind(kit::Core& core) {
        if (!kit::must_unwind(core)) return;
        while (core.state() != State::dead) interpreter_here().run_turn(interpreted(core), true);
    }
    static void after_end(kit::Core& core) {
        if (interpreted(core).failure) std::rethrow_exception(std::exchange(interpreted(core).failure, nullptr));
    }
    // A C++ function wants to leave: its frame is on the thread's stack.
    static void yield(State, std::int64_t, const char*) {
        kit::refuse(kit::MisuseKind::native_below, *kit::thread_state().current);
    }
    static void hand_over(kit::Core&, State left, std::int64_t until, const char* reason) {
        yield(left, until, reason);
    }
};

constexpr kit::CoroutineBackend kInterpreterBackend =
    kit::backend_of<InterpreterBackend, InterpretedCoroutine>("interpreter", 0);
const kit::CoroutineBackend interpreter_backend = kInterpreterBackend;

// ---- how one begins -------------------------------------------------------------------------------------------------

namespace {

struct Beginning {
    const Program& program;
    const Function& function;
    Number argument;
};

}  // namespace

void Interpreter::begin(Task& task, const void* with) {
    const auto& beginning = *static_cast<const Beginning*>(with);
    task.defers = true;
    InterpretedCoroutine& co = interpreted(task.core());
    co.program = &beginning.program;
    Interpreter first;
    first.co = &co;
    first.call(beginning.function, beginning.argument, 0);
    co.resume_pc = first.pc;
    first.record(FrameOp::call);
}

Handle go_interpreted(const Program& program, std::string_view function, Number argument, Attributes attributes) {
    Scheduler& sched = Scheduler::of_this_thread();
    if (dynamic_cast<GoScheduler*>(&sched.strategy()) == nullptr)
        throw std::logic_error("only the M:G scheduler runs interpreted coroutines");
    const Beginning beginning{program, program.function(function), argument};
    const OtherBackend interpreter{interpreter_backend, &Interpreter::begin, &beginning};
    const auto end = [] {
        std::exception_ptr& failure = interpreted(running_task().core()).failure;
        if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
    };
    return sched.go(end, std::move(attributes), {.other = &interpreter});
}

// ---- recording ------------------------------------------------------------------------------------------------------

std::string frames_in_words(const InterpretedCoroutine& co, std::size_t pc) {
    std::string words;
    for (auto frame = co.frames.rbegin(); frame != co.frames.rend(); pc = frame++->return_to) {
        const Function& function = *frame->function;
        words += (words.empty() ? "" : "; ") + function.name + "+" + std::to_string(pc - function.begin);
        for (std::size_t i = 0; i < function.locals.size(); ++i)
            words += " " + function.locals[i] + "=" + std::to_string(co.operands[frame->base + i]);
    }
    return words.empty() ? "none" : words;
}

void Interpreter::record(FrameOp op) const {
    if (trace::recording()) trace::record(kit::now(), trace::frame_event(co->id(), op), frames_in_words(*co, pc));
}

void Interpreter::record_deferred(trace::DeferOp op, const Frame& frame) const {
    if (!trace::recording()) return;
    std::size_t n = 0;  // number of deferred calls of its frames
    for (const Frame& each : co->frames) n += each.deferred.size();
    trace::record(kit::now(), trace::defer_event(co->id(), op, static_cast<std::int64_t>(n)), frame.function->name);
}

DeferredCall Interpreter::pop_deferred(Frame& frame) {
    record_deferred(trace::DeferOp::run, frame);
    const DeferredCall last = frame.deferred.back();
    frame.deferred.pop_back();
    return last;
}

}  // namespace fiberscope::lab04
