// A producer and a consumer as fibers of Boost.Fiber, scheduled by its round_robin. boost_demo FILE
#include <boost/fiber/all.hpp>
#include <cstdint>
#include <fiberscope/boost_fiber.hpp>

namespace {
std::uint64_t ticks = 0;
std::uint64_t now() { return ticks += 100; }
}  // namespace

int main(int argc, char** argv) {
    const fiberscope_options options{"Boost.Fiber", "producer_consumer", now};
    if (argc != 2 || fiberscope_open(argv[1], &options) != 0) return 2;
    boost::fibers::use_scheduling_algorithm<fiberscope::recorded<boost::fibers::algo::round_robin>>();
    boost::fibers::unbuffered_channel<int> channel;
    int sum = 0;
    boost::fibers::fiber producer([&] {
        fiberscope::name_fiber("producer");
        for (int i = 1; i <= 4; ++i) channel.push(i);
        channel.close();
    });
    boost::fibers::fiber consumer([&] {
        fiberscope::name_fiber("consumer");
        for (const int i : channel) sum += i;
    });
    producer.join();
    consumer.join();
    return fiberscope_close() != 0 || sum != 10;
}
