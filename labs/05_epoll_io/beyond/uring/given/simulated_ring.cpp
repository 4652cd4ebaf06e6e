// The simulated kernel of step 5.8: planned events happen when the kit's clock reaches their time.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "labs/05_epoll_io/beyond/uring/ring.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab05 {

void SimulatedRing::arrives(int fd, std::string message, std::uint64_t at) {
    coming_[fd].push_back({at, std::move(message), -1});
}

void SimulatedRing::connects(int listener, int fd, std::uint64_t at) { coming_[listener].push_back({at, {}, fd}); }

io_uring_sqe* SimulatedRing::next_sqe() {
    if (prepared_.capacity() < entries_) prepared_.reserve(entries_);
    if (prepared_.size() == entries_) return nullptr;
    return &prepared_.emplace_back(io_uring_sqe{});
}

const io_uring_cqe* SimulatedRing::peek() { return completed_.empty() ? nullptr : &completed_.front(); }

// The kernel may reuse the slot for another completion.
void SimulatedRing::seen() {
    completed_.front().user_data = 0;
    completed_.pop_front();
}

bool SimulatedRing::expects_any(std::size_t) const {
    return !completed_.empty() || std::any_of(working_.begin(), working_.end(),
                                              [this](const Working& one) { return due(one) != kit::kNever; });
}

void SimulatedRing::enter(unsigned at_least, std::uint64_t until) {
    const bool any_due =
        std::any_of(working_.begin(), working_.end(), [this](const Working& one) { return due(one) <= kit::now(); });
    if (prepared_.empty() && completed_.size() >= at_least && !any_due) return;
    ++enters_;
    for (const io_uring_sqe& sqe : prepared_) working_.emplace_back(kit::now(), sqe);
    prepared_.clear();
    for (work_off(kit::now()); completed_.size() < at_least; work_off(kit::now())) {
        std::uint64_t wake = until;
        for (const Working& one : working_) wake = std::min(wake, due(one));
        if (wake == kit::kNever || until <= kit::now()) return;
        kit::idle_until(wake);
    }
}

/// Time in ns at which it can be completed.
std::uint64_t SimulatedRing::due(const Working& one) const {
    switch (one.second.opcode) {
    case IORING_OP_RECV:
    case IORING_OP_ACCEPT: {
        const auto coming = coming_.find(one.second.fd);
        return coming == coming_.end() || coming->second.empty() ? kit::kNever : coming->second.front().at;
    }
    case IORING_OP_ASYNC_CANCEL: return one.first + kCancelling;
    case IORING_OP_NOP: return one.first + kLettingGo;
    default: return one.first + kSending;
    }
}

// One by one: data taken by the first is not available to the next.
void SimulatedRing::work_off(std::uint64_t now) {
    const auto is_due = [&](const Working& one) { return due(one) <= now; };
    for (auto one = working_.begin();
         (one = std::find_if(working_.begin(), working_.end(), is_due)) != working_.end();) {
        const io_uring_sqe sqe = one->second;
        working_.erase(one);
        complete(sqe.user_data, result_of(sqe));
    }
}

int SimulatedRing::result_of(const io_uring_sqe& sqe) {
    switch (sqe.opcode) {
    case IORING_OP_RECV: return receive(sqe);
    case IORING_OP_SEND: return send(sqe);
    case IORING_OP_ASYNC_CANCEL: return cancel(sqe.addr);
    case IORING_OP_ACCEPT: {
        const int fd = coming_[sqe.fd].front().fd;
        coming_[sqe.fd].pop_front();
        return fd;
    }
    case IORING_OP_NOP: return -ECANCELED;  // cancelled
    case IORING_OP_CONNECT: return broken_.contains(sqe.fd) ? -broken_[sqe.fd] : 0;
    default: return -EINVAL;
    }
}

// The end is permanent: each recv finds it.
int SimulatedRing::receive(const io_uring_sqe& sqe) {
    std::deque<Coming>& coming = coming_[sqe.fd];
    std::string& message = coming.front().message;
    if (message.empty()) return 0;
    const std::size_t got = std::min(message.size(), std::size_t{sqe.len});
    std::memcpy(reinterpret_cast<void*>(sqe.addr), message.data(), got);
    message.erase(0, got);
    if (message.empty()) coming.pop_front();
    return static_cast<int>(got);
}

int SimulatedRing::send(const io_uring_sqe& sqe) {
    if (broken_.contains(sqe.fd)) return -broken_[sqe.fd];
    const auto room = room_.find(sqe.fd);
    const std::size_t taken = std::min(std::size_t{sqe.len}, room == room_.end() ? std::size_t{sqe.len} : room->second);
    sent_[sqe.fd].append(reinterpret_cast<const char*>(sqe.addr), taken);
    return static_cast<int>(taken);
}

int SimulatedRing::cancel(std::uint64_t operation) {
    const auto found = std::find_if(working_.begin(), working_.end(),
                                    [=](const Working& one) { return one.second.user_data == operation; });
    if (found == working_.end()) return -ENOENT;
    found->first = kit::now();
    found->second.opcode = IORING_OP_NOP;
    return 0;
}

void SimulatedRing::complete(std::uint64_t operation, int result) {
    io_uring_cqe cqe{};
    cqe.user_data = operation;
    cqe.res = result;
    completed_.push_back(cqe);
}

}  // namespace fiberscope::lab05
