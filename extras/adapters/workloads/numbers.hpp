// Shared by the workloads of all C++ libraries: random numbers, work, and output.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fiberscope/record.h>

namespace workloads {

using Random = std::mt19937_64;
/// Ordered by the piece of work, not by completion.
using Results = std::vector<std::uint64_t>;

constexpr std::uint64_t kMicrosecond = 1000;

/// Returns a hash of both, as in lab 04.
inline std::uint64_t blend(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15U + (a << 6U) + (a >> 2U))) * 0xbf58476d1ce4e5b9U;
    return x ^ (x >> 31U);
}

inline std::uint64_t between(Random& random, std::uint64_t low, std::uint64_t high) {
    return low + random() % (high - low + 1);
}

/// ns since the first call.
inline std::uint64_t since_begin() {
    static const auto begin = std::chrono::steady_clock::now();
    const auto passed = std::chrono::steady_clock::now() - begin;
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
}

/// Computes for the given time.
inline void work(std::uint64_t ns) {
    const std::uint64_t until = since_begin() + ns;
    while (since_begin() < until) {
    }
}

struct Arguments {
    std::string workload;
    std::uint64_t seed;
    const char* file;  ///< recording; null: none
};

/// PROGRAM mixed|fanout|pipeline SEED [FILE]
inline Arguments arguments(int argc, char** argv) {
    if (argc < 3) std::exit(2);
    return {argv[1], std::strtoull(argv[2], nullptr, 10), argc > 3 ? argv[3] : nullptr};
}

/// Exits if the file cannot be written.
inline void record(const Arguments& given, const char* library) {
    const fiberscope_options options{library, given.workload.c_str(), nullptr};
    if (given.file != nullptr && fiberscope_open(given.file, &options) != 0) std::exit(2);
    since_begin();
}

/// Returns the exit status.
inline int finish(const Arguments& given, const Results& results) {
    for (std::size_t i = 0; i < results.size(); ++i)
        std::printf("%s %zu %016llx\n", given.workload.c_str(), i, static_cast<unsigned long long>(results[i]));
    return given.file != nullptr ? fiberscope_close() : 0;
}

}  // namespace workloads
