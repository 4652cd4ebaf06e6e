// An intrusive queue, first in, first out: the link lies in the member, so that entering and leaving costs no memory (as
// TAILQ_ENTRY in NtyCo). Every change is recorded.
#pragma once

#include <cstddef>

#include "labs/kit/sets/recorded_set.h"

namespace fiberscope::kit {

/// Lies in a member; one for each queue that it can be in.
template <class T>
struct QueueLink {
    T* next = nullptr;
};

/// Owns none of its members. T has core() or item(), and the QueueLink that `Link` names; a member is in the queue at most
/// once.
template <class T, QueueLink<T> T::*Link>
class Queue {
  public:
    explicit Queue(const char* name, trace::Role role = trace::Role::ready) noexcept
        : set_(name, role, trace::Structure::queue) {}
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    /// The first; null if the queue is empty.
    T* front() const noexcept { return first_; }

    /// Behind all others.
    void push(T& member) {
        (member.*Link).next = nullptr;
        *end_ = &member;
        end_ = &(member.*Link).next;
        ++size_;
        if (trace::recording()) [[unlikely]]
            set_.inserted(item_of(member));
    }
    /// The first leaves; null if the queue is empty.
    T* pop() {
        if (size_ == 0) return nullptr;
        T* first = first_;
        first_ = (first->*Link).next;
        if (--size_ == 0) end_ = &first_;
        if (trace::recording()) [[unlikely]]
            set_.removed(item_of(*first));
        return first;
    }

  private:
    T* first_ = nullptr;
    T** end_ = &first_;  // where the next one is hung
    std::size_t size_ = 0;
    RecordedSet set_;
};

}  // namespace fiberscope::kit
