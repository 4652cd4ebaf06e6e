#include "labs/04_scheduler/beyond/interpreter/interpreter.h"

namespace fiberscope::lab04 {

void Interpreter::enter(InterpretedCoroutine& next) {
    co = &next;
    pc = next.resume_pc;
}

void Interpreter::yield(const Leaving& how) {
    if (co->floor > 0) kit::refuse(kit::MisuseKind::native_below, *co);
    co->resume_pc = pc + 1;
    leave_loop(how);
}

void Interpreter::call(const Function& function, Number argument, std::size_t return_to) {
    co->frames.push_back({&function, return_to, co->operands.size()});
    co->operands.push_back(argument);
    co->operands.resize(co->frames.back().base + function.locals.size());
    pc = function.begin;
}

void Interpreter::ret() {
    co->frames.back().result = pop();
    co->frames.back().leaving = true;
    leave_frame();
}

void Interpreter::fail(std::exception_ptr why) {
    co->frames.back().failure = std::move(why);
    co->frames.back().leaving = true;
    leave_frame();
}

void Interpreter::defer(const Function& function, Number argument) {
    co->frames.back().deferred.push_back({&function, argument});
}

void Interpreter::leave_frame() {
    while (co->frames.size() > co->floor) {
        Frame& top = co->frames.back();
        if (!top.leaving) return;
        if (!top.deferred.empty()) {
            const DeferredCall next = pop_deferred(top);
            return call(*next.function, next.argument, pc);
        }
        const Frame gone = std::move(top);
        co->frames.pop_back();
        co->operands.resize(gone.base);
        pc = gone.return_to;
        if (co->frames.size() == co->floor) {
            co->failure = gone.failure;
            if (!gone.failure) co->operands.push_back(gone.result);
        } else if (gone.failure) {
            co->frames.back().failure = gone.failure;
            co->frames.back().leaving = true;
        } else if (!co->frames.back().leaving) {
            co->operands.push_back(gone.result);
        }
    }
}

}  // namespace fiberscope::lab04
