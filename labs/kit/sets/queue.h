// An intrusive FIFO queue: the link is in the member, so enqueueing and dequeueing allocate no memory (as TAILQ_ENTRY
// in NtyCo). Records every change.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "labs/kit/sets/recorded_set.h"

namespace fiberscope::kit {

/// Intrusive hook; one per queue. Null in a member outside of the queue, and in the last member.
template <class T>
struct QueueLink {
    T* next = nullptr;
};

/// Does not own its members. T has core() or item() and the QueueLink member `Link`. A member is in the queue at most
/// once; a second push aborts with a message.
template <class T, QueueLink<T> T::*Link>
class Queue {
  public:
    explicit Queue(std::string name, trace::Role role = trace::Role::ready)
        : set_(std::move(name), role, trace::Structure::queue) {}
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    /// The first; null if the queue is empty.
    T* front() const noexcept { return first_; }

    /// See RecordedSet.
    void belongs_to(unsigned machine, std::string name) { set_.belongs_to(machine, std::move(name)); }
    void guarded_by(const Lock* lock) noexcept { set_.guarded_by(lock); }

    /// Enqueues `member` at the end.
    void push(T& member) {
        if ((member.*Link).next != nullptr || end_ == &(member.*Link).next) [[unlikely]]
            refuse(member);
        *end_ = &member;
        end_ = &(member.*Link).next;
        ++size_;
        if (trace::recording()) [[unlikely]]
            record_inserted(member);
    }
    /// Dequeues the first member; null if the queue is empty.
    T* pop() {
        T* first = first_;
        if (first == nullptr) return nullptr;
        --size_;
        first_ = std::exchange((first->*Link).next, nullptr);
        if (first_ == nullptr) [[unlikely]]
            end_ = &first_;
        if (trace::recording()) [[unlikely]]
            record_removed(*first);
        return first;
    }
    /// Returns the first member that `wanted` accepts, without removing it; null if there is none.
    template <class Wanted>
    T* find(Wanted wanted) const {
        T* member = first_;
        while (member != nullptr && !wanted(*member)) member = (member->*Link).next;
        return member;
    }
    /// As find, but removes the member.
    template <class Wanted>
    T* pop_first(Wanted wanted) {
        for (T** from = &first_; *from != nullptr; from = &((*from)->*Link).next)
            if (wanted(**from)) return remove_at(from);
        return nullptr;
    }

  private:
    // `from` is the link to the member.
    T* remove_at(T** from) {
        T* member = *from;
        *from = std::exchange((member->*Link).next, nullptr);
        if (end_ == &(member->*Link).next) end_ = from;
        --size_;
        if (trace::recording()) [[unlikely]]
            record_removed(*member);
        return member;
    }

    [[noreturn, gnu::noinline, gnu::cold]] void refuse(T& member) const { set_.refuse_insert(name_of(member)); }

    // Not inlined, to keep the frames small when nothing is recorded.
    [[gnu::noinline, gnu::cold]] void record_inserted(T& member) { set_.inserted(item_of(member)); }
    [[gnu::noinline, gnu::cold]] void record_removed(T& member) { set_.removed(item_of(member)); }

    T* first_ = nullptr;
    T** end_ = &first_;  // the link to set for the next member
    std::size_t size_ = 0;
    RecordedSet set_;
};

}  // namespace fiberscope::kit
