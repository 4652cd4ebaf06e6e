// Shared by the tests of steps 4.13 and 4.14: tasks that use channels, and their log.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "labs/04_scheduler/beyond/channels/channel.h"
#include "labs/04_scheduler/tests/support.h"

namespace fiberscope::lab04::testing {

/// A port: tasks arrive at given times, in µs, and log what happens to them.
struct Port {
    Port() { use_virtual_time(); }
    Log log;

    Handle at(std::uint64_t microseconds, std::function<void()> act, const std::string& name = "") {
        return later(microseconds * kMicrosecond, name, std::move(act));
    }
    /// Logs "a sent 1" when the send is done; "a cancelled", "a refused".
    Handle sends(const std::string& name, Channel<int>& channel, int value, std::uint64_t when) {
        return at(
            when, [this, name, &channel, value] { send(name, channel, value); }, name);
    }
    /// Logs "b has 1", "b closed", "b cancelled".
    Handle receives(const std::string& name, Channel<int>& channel, std::uint64_t when) {
        return at(
            when, [this, name, &channel] { receive(name, channel); }, name);
    }
    void send(const std::string& name, Channel<int>& channel, int value) {
        try {
            const Outcome how = channel.send(value);
            log.push_back(name + (how == Outcome::done ? " sent " + std::to_string(value) : end_of(how)));
        } catch (const ClosedChannel&) {
            log.push_back(name + " refused");
        }
    }
    void receive(const std::string& name, Channel<int>& channel) {
        const auto value = channel.receive();
        const bool done = value.outcome == Outcome::done;
        log.push_back(name + (done ? " has " + std::to_string(value.value_or(-1)) : end_of(value.outcome)));
    }
    /// Runs until all tasks have ended without an exception. If they cannot, they end while the channels exist.
    Log run() {
        std::string otherwise;
        try {
            for (const Failure& failure : sched_->run()) otherwise = failure.what;
        } catch (const Stuck& stuck) {
            otherwise = stuck.what();
            sched_.emplace();
        }
        CHECK(otherwise == "");
        return std::exchange(log, {});
    }

  private:
    static const char* end_of(Outcome how) {
        return how == Outcome::closed ? " closed" : how == Outcome::cancelled ? " cancelled" : " must wait still";
    }

    std::optional<Scheduler> sched_{std::in_place};
};

}  // namespace fiberscope::lab04::testing
