// An intrusive queue, first in, first out: the link lies in the member, so that entering and leaving costs no memory
// (as TAILQ_ENTRY in NtyCo). Every change is recorded.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "labs/kit/sets/recorded_set.h"

namespace fiberscope::kit {

/// Lies in a member; one for each queue that it can be in. Null outside of a queue, and of its last member.
template <class T>
struct QueueLink {
    T* next = nullptr;
};

/// Owns none of its members. T has core() or item(), and the QueueLink that `Link` names; a member is in the queue at
/// most once: a second push ends the program with a message.
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

    /// Behind all others.
    void push(T& member) {
        if ((member.*Link).next != nullptr || end_ == &(member.*Link).next) [[unlikely]]
            refuse(member);
        *end_ = &member;
        end_ = &(member.*Link).next;
        ++size_;
        if (trace::recording()) [[unlikely]]
            record_inserted(member);
    }
    /// The first leaves; null if the queue is empty.
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
    /// The first that `wanted` accepts; null if there is none. It stays there.
    template <class Wanted>
    T* find(Wanted wanted) const {
        T* member = first_;
        while (member != nullptr && !wanted(*member)) member = (member->*Link).next;
        return member;
    }
    /// The same, and it leaves.
    template <class Wanted>
    T* pop_first(Wanted wanted) {
        for (T** from = &first_; *from != nullptr; from = &((*from)->*Link).next)
            if (wanted(**from)) return remove_at(from);
        return nullptr;
    }

  private:
    // `from` is the link that names it.
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

    // Apart, so that what is done when nothing records needs no room on the stack.
    [[gnu::noinline, gnu::cold]] void record_inserted(T& member) { set_.inserted(item_of(member)); }
    [[gnu::noinline, gnu::cold]] void record_removed(T& member) { set_.removed(item_of(member)); }

    T* first_ = nullptr;
    T** end_ = &first_;  // where the next one is hung
    std::size_t size_ = 0;
    RecordedSet set_;
};

}  // namespace fiberscope::kit
