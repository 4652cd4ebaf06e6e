#include "labs/04_scheduler/beyond/deque/deque.h"

namespace fiberscope::lab04 {

void Deque::push(Task& g) {
    const Position bottom = bottom_.load(std::memory_order_relaxed);
    const Position top = top_.load(std::memory_order_acquire);
    if (bottom - top == static_cast<Position>(ring().capacity())) grow(top, bottom);
    ring().put(bottom, &g);
    bottom_.store(bottom + 1, std::memory_order_release);
}

void Deque::grow(Position top, Position bottom) {
    Ring& bigger = add_ring(2 * ring().capacity());
    for (Position at = top; at < bottom; ++at) bigger.put(at, ring().get(at));
    ring_.store(&bigger, std::memory_order_release);
}

Task* Deque::pop() {
    const Position newest = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(newest, std::memory_order_seq_cst);
    Position top = top_.load(std::memory_order_seq_cst);
    Task* g = top <= newest ? ring().get(newest) : nullptr;
    if (top < newest) return g;
    if (top == newest && !top_.compare_exchange_strong(top, top + 1)) g = nullptr;
    bottom_.store(newest + 1, std::memory_order_release);
    return g;
}

Task* Deque::steal() {
    Position top = top_.load(std::memory_order_seq_cst);
    const Position bottom = bottom_.load(std::memory_order_seq_cst);
    if (top >= bottom) return nullptr;
    Task* const g = ring_.load(std::memory_order_acquire)->get(top);
    return top_.compare_exchange_strong(top, top + 1) ? g : nullptr;
}

Task* GoDeques::next(WorkerPool& sched, Machine& machine) {
    GoDeque& mine = own(machine.index);
    const unsigned turn = ++mine.turns % kGlobalFirst;
    if (turn == 0)
        if (Task* g = take_global(sched)) return g;
    if (mine.oldest_first > 0 || turn == kOldest) {
        if (mine.oldest_first > 0) --mine.oldest_first;
        if (Task* g = mine.gs.take_oldest()) return g;
    }
    if (Task* g = mine.gs.take_newest()) return g;
    if (Task* g = take_global(sched)) return g;
    return WorkerPool::worth_helping(machine) ? steal_from_others(machine) : nullptr;
}

Task* GoDeques::steal_from_others(const Machine& thief) {
    for (unsigned i = 1; i < machines(); ++i) {
        const unsigned victim = (thief.index + i) % machines();
        Deque& theirs = own(victim).gs;
        const std::size_t half = theirs.size() / 2;
        Task* const first = half > 0 ? theirs.take_oldest() : nullptr;
        if (first == nullptr) continue;
        std::size_t taken = 1;
        for (Task* g = nullptr; taken < half && (g = theirs.take_oldest()) != nullptr; ++taken) insert(thief, *g);
        record_steal(victim, taken);
        return first;
    }
    return nullptr;
}

void GoDeques::push_local(WorkerPool& sched, Machine& machine, Task& g) {
    GoDeque& mine = own(machine.index);
    insert(machine, g);
    mine.oldest_first = mine.gs.size();
    kit::atomic_thread_fence(std::memory_order_seq_cst);
    if (mine.gs.size() < 2 || sched.idle() == 0) return;
    const SchedulerLock held(sched);
    sched.unpark_one();
}

}  // namespace fiberscope::lab04
