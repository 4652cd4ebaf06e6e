// What the grader asks of lab 06: which timers expire when, in each store. See labs/kit/testing/proof.h.
#include <deque>
#include <memory>
#include <vector>

#include "labs/06_timers/timer.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/proof.h"

using namespace fiberscope;
using kit::testing::answer;
using kit::testing::kMillisecond;
using kit::testing::Numbers;

namespace {

struct Numbered : lab06::Timer {
    unsigned number = 0;
};

class Stand {
  public:
    Stand(const char* store, Numbers& numbers) : numbers_(numbers), store_(lab06::make_store(store)) {
        for (unsigned i = 0; i < timers_.size(); ++i) timers_[i].number = i;
    }

    void run() {
        for (unsigned i = 0; i < 2000; ++i) numbers_.below(4) == 0 ? expire() : change(timers_[numbers_.below(100)]);
    }

  private:
    void change(Numbered& timer) {
        if (timer.store == nullptr)
            store_->add(timer, deadline());
        else if (numbers_.below(2) == 0)
            store_->refresh(timer, deadline());
        else
            answer("cancels", timer.number, store_->cancel(timer));
    }
    std::uint64_t deadline() { return now_ + numbers_.below(numbers_.below(3) == 0 ? 100'000 : 100) * kMillisecond; }
    void expire() {
        now_ += numbers_.below(60) * kMillisecond;
        std::vector<lab06::Timer*> out;
        store_->take_expired(now_, out);
        for (const lab06::Timer* timer : out) answer("expires", static_cast<const Numbered*>(timer)->number, now_);
        answer("next", store_->size(), store_->next_deadline());
    }

    Numbers& numbers_;
    std::unique_ptr<lab06::TimerStore> store_;
    std::vector<Numbered> timers_ = std::vector<Numbered>(100);
    std::uint64_t now_ = 0;
};

void of(const char* store, Numbers& numbers) {
    kit::testing::use_virtual_time();
    (new Stand(store, numbers))->run();  // kept: a timer must not be destroyed in a store
}
void tree(Numbers& numbers) { of("tree", numbers); }
void heap(Numbers& numbers) { of("heap", numbers); }
void wheel(Numbers& numbers) { of("wheel", numbers); }
void levels(Numbers& numbers) { of("levels", numbers); }

constexpr kit::testing::Question kQuestions[] = {{"tree", tree}, {"heap", heap}, {"wheel", wheel}, {"levels", levels}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
