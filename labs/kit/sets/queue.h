// An intrusive queue, first in, first out: the link lies in the member, so that entering and leaving costs no memory (as
// TAILQ_ENTRY in NtyCo). Every change is recorded.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "labs/kit/sets/recorded_set.h"

namespace fiberscope::kit {

/// Lies in a member; one for each queue that it can be in.
template <class T>
struct QueueLink {
    T* next = nullptr;
    /// In a long queue: who stands kFar places behind it. A guess for prefetching, never to be followed: it may be gone.
    const T* far = nullptr;
};

/// Owns none of its members. T has core() or item(), and the QueueLink that `Link` names; a member is in the queue at most
/// once.
template <class T, QueueLink<T> T::*Link>
class Queue {
  public:
    explicit Queue(std::string name, trace::Role role = trace::Role::ready)
        : set_(std::move(name), role, trace::Structure::queue) {}
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    /// From here on the members do not fit into the processor's nearer caches together.
    static constexpr std::size_t kLong = 1000;
    static constexpr std::size_t kFar = 8;

    bool empty() const noexcept { return size_ == 0; }
    bool is_long() const noexcept { return size_ > kLong; }
    std::size_t size() const noexcept { return size_; }
    /// The first; null if the queue is empty.
    T* front() const noexcept { return first_; }

    /// See RecordedSet.
    void belongs_to(unsigned machine, std::string name) { set_.belongs_to(machine, std::move(name)); }

    /// Behind all others.
    void push(T& member) {
        (member.*Link).next = nullptr;
        *end_ = &member;
        end_ = &(member.*Link).next;
        ++size_;
        if (is_long()) [[unlikely]]
            tell_of(member);
        if (trace::recording()) [[unlikely]]
            record_inserted(member);
    }
    /// The first leaves; null if the queue is empty.
    T* pop() {
        if (size_ == 0) return nullptr;
        T* first = first_;
        first_ = (first->*Link).next;
        if (--size_ == 0) [[unlikely]]
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
            if (wanted(**from)) return take_out(from);
        return nullptr;
    }

  private:
    // `from` is the link that names it.
    T* take_out(T** from) {
        T* member = *from;
        *from = (member->*Link).next;
        if (end_ == &(member->*Link).next) end_ = from;
        --size_;
        told_ = 0;
        if (trace::recording()) [[unlikely]]
            record_removed(*member);
        return member;
    }

    // Links alone cannot be asked for early: each is only known when the one before it has come. The last kFar that came
    // are in the queue still, as long as it is long and none leaves from its middle.
    void tell_of(T& member) {
        if (size_ == kLong + 1) told_ = 0;
        T*& before = last_[told_ % kFar];
        if (told_++ >= kFar) (before->*Link).far = &member;
        before = &member;
    }

    // Apart, so that what is done when nobody records needs no room on the stack.
    [[gnu::noinline, gnu::cold]] void record_inserted(T& member) { set_.inserted(item_of(member)); }
    [[gnu::noinline, gnu::cold]] void record_removed(T& member) { set_.removed(item_of(member)); }

    T* first_ = nullptr;
    T** end_ = &first_;  // where the next one is hung
    std::size_t size_ = 0;
    std::size_t told_ = 0;  // how many have come since the queue became long, and none has left from its middle
    std::array<T*, kFar> last_{};
    RecordedSet set_;
};

}  // namespace fiberscope::kit
