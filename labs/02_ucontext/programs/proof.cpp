// What the grader asks of lab 02: see labs/kit/testing/proof.h.
#include "labs/02_ucontext/coroutine.h"
#include "labs/kit/testing/conversation.h"

using namespace fiberscope;
using kit::testing::Numbers;
using kit::testing::Reach;

namespace {

struct Lab {
    using Coroutine = lab02::Coroutine;
    static Coroutine* make(kit::Body body) { return new Coroutine(std::move(body)); }
    static void yield() { lab02::yield(); }
};

void exceptions(Numbers& numbers) {
    Lab lab;
    kit::testing::Conversation<Lab>(lab, numbers, Reach::throws).hold();
}

constexpr kit::testing::Question kQuestions[] = {{"exceptions", exceptions}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
