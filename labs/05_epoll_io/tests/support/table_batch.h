// The table's rows, made in children: many calls of a child at once, so that those that wait cost little.
#pragma once

#include <sys/wait.h>

#include <array>
#include <csignal>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "labs/05_epoll_io/tests/support/table.h"

namespace fiberscope::lab05::testing::table {

/// The calls of `rows`, all at once, each on a thread; what each gave, or that it waits.
class Batch {
  public:
    Batch(const Row* rows, std::size_t count, bool hooked) : hooked_(hooked) {
        for (std::size_t i = 0; i < count; ++i) calls_.push_back(std::make_shared<Attempted>(rows[i]));
        for (const auto& call : calls_) std::thread([call, hooked] { run(*call, hooked); }).detach();
        for (const auto& call : calls_) {
            while (call->thread == 0) std::this_thread::yield();
            watches_.emplace_back(call->thread);
        }
        words_.resize(count);
        helped_.resize(count);
    }
    std::vector<std::string> words() {
        for (std::size_t open = calls_.size(); open > 0;) {
            open = 0;
            for (std::size_t i = 0; i < calls_.size(); ++i) open += words_[i].empty() && !ended(i) ? 1 : 0;
            if (open > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        // A reset that answers what a call has sent comes behind the call. Nothing can be asked twice: to tell a
        // pending error takes it away.
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        for (std::size_t i = 0; i < calls_.size(); ++i) words_[i] += state_of(calls_[i]->world, !calls_[i]->over);
        return words_;
    }

  private:
    static void run(Attempted& call, bool hooked) {
        call.thread = gettid();
        hooked ? call.hooked() : call.call();
    }
    bool ended(std::size_t i) {
        Attempted& call = *calls_[i];
        if (call.over)
            words_[i] += call.told;
        else if (watches_[i].spins())
            words_[i] += "spins";
        else if (watches_[i].sleeps_for_good() || watches_[i].looks_around())
            return waits(i);
        else
            return false;
        return true;
    }
    bool waits(std::size_t i) {
        if (calls_[i]->row.meanwhile == nullptr || helped_[i]) {
            words_[i] = hooked_ && !watches_[i].waits_in_poller() ? "stops its thread" : "waits";
            return true;
        }
        helped_[i] = true;
        calls_[i]->row.meanwhile(calls_[i]->world);
        watches_[i].begin_again();
        return false;
    }

    bool hooked_;
    std::vector<std::shared_ptr<Attempted>> calls_;
    std::vector<Watch> watches_;
    std::vector<std::string> words_;
    std::vector<bool> helped_;
};

// ---- all rows -------------------------------------------------------------------------------------------------------

/// A child that makes the calls of some rows one way, and writes a line for each.
class Child {
  public:
    Child(const Row* rows, std::size_t count, bool hooked) : count_(count) {
        int ends[2];
        if (system_calls().pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
        child_ = fork();
        if (child_ == 0) make_calls(rows, count, hooked, ends[1]);
        system_calls().close(ends[1]);
        from_ = ends[0];
    }
    /// One for each row; of a child that was ended by a signal this is all it says.
    std::vector<std::string> words() {
        std::string all;
        char buffer[4096];
        for (ssize_t n; (n = system_calls().read(from_, buffer, sizeof buffer)) > 0;)
            all.append(buffer, static_cast<std::size_t>(n));
        system_calls().close(from_);
        int status = 0;
        system_calls().waitpid(child_, &status, 0);
        std::vector<std::string> lines;
        std::istringstream in(all);
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        lines.resize(count_, WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status)) : "no answer");
        return lines;
    }

  private:
    [[noreturn]] static void make_calls(const Row* rows, std::size_t count, bool hooked, int to) {
        constexpr unsigned kLongest = 60;  // s: nothing is decided by it
        alarm(kLongest);
        signal(SIGPIPE, SIG_IGN);
        for (int fd = 0; fd < FD_SETSIZE; ++fd) look_again(fd);  // tests before have closed theirs unseen
        std::string all;
        for (const std::string& words : Batch(rows, count, hooked).words()) all += words + "\n";
        static_cast<void>(!system_calls().write(to, all.data(), all.size()));
        std::_Exit(0);
    }

    std::size_t count_;
    pid_t child_ = -1;
    int from_ = -1;
};

/// Every row whose two ways differ, as three lines; empty if there is none. A batch that a signal has ended is made
/// again, row by row.
inline std::string differences(const std::vector<Row>& rows, std::size_t first, std::size_t count) {
    std::array<Child, 2> both{Child(&rows[first], count, false), Child(&rows[first], count, true)};
    const std::vector<std::string> plain = both[0].words(), hooked = both[1].words();
    std::string all;
    if (count > 1 && (plain.back().rfind("ended", 0) == 0 || hooked.back().rfind("ended", 0) == 0)) {
        for (std::size_t i = 0; i < count; ++i) all += differences(rows, first + i, 1);
        return all;
    }
    for (std::size_t i = 0; i < count; ++i)
        if (plain[i] != hooked[i])
            all += rows[first + i].name + "\n    plain:  " + plain[i] + "\n    hooked: " + hooked[i] + "\n";
    return all;
}
/// What is not written yet is told by this process, and not by a child.
inline void call_each_once() {
    Stand stand(kRealTime);
    const Pair pair = blocking_pair();
    go_hooked([&] {
        char byte = 'x';
        static_cast<void>(!::write(pair.b, &byte, 1));
        static_cast<void>(!::read(pair.a, &byte, 1));
        ::connect(pair.a, nullptr, 0);
        ::poll(nullptr, 0, 0);
        ::usleep(0);
    });
    stand.run();
}
inline std::string differences(const std::vector<Row>& rows) {
    constexpr std::size_t kInBatch = 50;
    record_nothing();
    use_real_time();
    call_each_once();
    std::string all;
    for (std::size_t first = 0; first < rows.size(); first += kInBatch)
        all += differences(rows, first, std::min(kInBatch, rows.size() - first));
    return all;
}

}  // namespace fiberscope::lab05::testing::table
