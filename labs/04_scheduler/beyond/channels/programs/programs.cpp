#include "labs/04_scheduler/beyond/channels/programs/programs.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "labs/04_scheduler/beyond/channels/select.h"
#include "labs/04_scheduler/tasks.h"

namespace fiberscope::lab04::channels {
namespace {

using Ints = std::shared_ptr<Channel<int>>;

Ints make_channel(const char* name, std::size_t capacity = 0) { return std::make_shared<Channel<int>>(name, capacity); }

/// A send fails only if cancelled, which does not happen here.
void send(Channel<int>& to, int value) { static_cast<void>(to.send(value)); }

void filter(int prime, Channel<int>& from, Channel<int>& to) {
    while (const auto n = from.receive())
        if (*n % prime != 0) send(to, *n);
    to.close();
}

std::vector<int> sieve() {
    std::vector<int> primes;
    Ints numbers = make_channel("numbers");
    go([numbers] {
        for (int n = 2; n < 200; ++n) send(*numbers, n);
        numbers->close();
    });
    while (const auto prime = numbers->receive()) {
        primes.push_back(*prime);
        Ints next = make_channel("next");
        go([prime = *prime, numbers, next] { filter(prime, *numbers, *next); });
        numbers = next;
    }
    return primes;
}

std::vector<int> pool() {
    struct Result {
        int job, value;
    };
    const Ints jobs = make_channel("jobs", 3);
    const auto results = std::make_shared<Channel<Result>>("results");
    for (int worker = 0; worker < 4; ++worker)
        go([jobs, results] {
            while (const auto job = jobs->receive()) static_cast<void>(results->send(Result{*job, *job * *job + 1}));
        });
    go([jobs] {
        for (int job = 0; job < 40; ++job) send(*jobs, job);
        jobs->close();
    });
    std::vector<int> values(40);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto one = results->receive();
        values.at(static_cast<std::size_t>(one->job)) = one->value;
    }
    return values;
}

std::vector<int> fan_in() {
    const Ints a = make_channel("a"), b = make_channel("b", 2), ended = make_channel("ended");
    const auto produce = [ended](int first, const Ints& to) {
        go([ended, first, to] {
            for (int i = 0; i < 100; ++i) send(*to, first + i);
            send(*ended, 1);
        });
    };
    produce(0, a);
    produce(1000, b);
    std::array<int, 2> sums{}, last{-1, -1};
    int disorder = 0, left = 200;
    for (int producers = 2; producers > 0 || left > 0;) {
        std::array<std::optional<int>, 3> values;
        const Selected done = select(from(*a, values[0]), from(*b, values[1]), from(*ended, values[2]));
        const auto of = static_cast<std::size_t>(done.index);
        if (of == 2) {
            --producers;
            continue;
        }
        const int value = values.at(of).value_or(0);
        if (value <= last.at(of)) ++disorder;
        sums.at(of) += value;
        last.at(of) = value;
        --left;
    }
    return {sums[0], sums[1], disorder};
}

int refused(const std::function<void()>& act) {
    try {
        act();
    } catch (const ClosedChannel&) {
        return 1;
    }
    return 0;
}

std::vector<int> closed() {
    std::vector<int> seen;
    Channel<int> values("values", 5);
    for (int i = 1; i <= 3; ++i) send(values, i);
    values.close();
    for (int i = 0; i < 5; ++i) seen.push_back(values.receive().value_or(-1));
    seen.push_back(refused([&] { send(values, 4); }));
    seen.push_back(refused([&] { values.close(); }));
    std::optional<int> none;
    seen.push_back(select_or_default(from(values, none)).outcome == Outcome::closed ? 2 : 3);
    return seen;
}

}  // namespace

const std::map<std::string, std::function<std::vector<int>()>> kPrograms{
    {"sieve", sieve}, {"pool", pool}, {"fan_in", fan_in}, {"closed", closed}};

}  // namespace fiberscope::lab04::channels
