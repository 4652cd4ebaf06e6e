// What the grader asks of lab 03: see labs/kit/testing/proof.h.
#include "labs/03_shared_stack/coroutine.h"
#include "labs/kit/testing/conversation.h"

using namespace fiberscope;
using kit::testing::Numbers;
using kit::testing::Reach;

namespace {

/// Few stacks for many coroutines, so that their frames must be saved and restored.
class Lab {
  public:
    using Coroutine = lab03::Coroutine;
    explicit Lab(unsigned stacks) : stacks_(stacks) {}
    Coroutine* make(kit::Body body) { return new Coroutine(std::move(body), stacks_); }
    static void yield() { lab03::yield(); }

  private:
    lab03::SharedStacks stacks_;
};

void exceptions(Numbers& numbers) {
    static Lab lab(numbers.below(3) + 1);
    kit::testing::Conversation<Lab>(lab, numbers, Reach::throws).hold();
}

constexpr kit::testing::Question kQuestions[] = {{"exceptions", exceptions}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
