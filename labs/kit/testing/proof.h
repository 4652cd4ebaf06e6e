// labNN_proof QUESTION SEED: prints the answers of a lab's code to random numbers that only the grader knows. The
// grader runs the reference too and compares the outputs. A process that merely claims success has no answer.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace fiberscope::kit::testing {

/// A random number generator (splitmix64).
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) noexcept : state_(seed) {}
    std::uint64_t next() noexcept {
        state_ += 0x9e3779b97f4a7c15;
        return mixed(state_);
    }
    /// Returns a number in [0, end).
    unsigned below(unsigned end) noexcept { return static_cast<unsigned>(next() % end); }

    static std::uint64_t mixed(std::uint64_t z) noexcept {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

  private:
    std::uint64_t state_;
};

struct Question {
    const char* name;
    void (*answer)(Numbers& numbers);
};

/// Prints one line of the answer.
inline void answer(const char* what, std::uint64_t which, std::uint64_t value) {
    std::printf("%s %llu %016llx\n", what, static_cast<unsigned long long>(which),
                static_cast<unsigned long long>(value));
}

/// The main of a proof. Exits without unwinding coroutines that have not ended.
[[noreturn]] inline void answer_question(int argc, char** argv, std::span<const Question> questions) {
    for (const Question& question : questions) {
        if (argc != 3 || std::string_view(argv[1]) != question.name) continue;
        Numbers numbers(std::strtoull(argv[2], nullptr, 10));
        question.answer(numbers);
        std::fflush(stdout);
        ::_exit(0);
    }
    std::fprintf(stderr, "proof QUESTION SEED, where QUESTION is one of:\n");
    for (const Question& question : questions) std::fprintf(stderr, "  %s\n", question.name);
    ::_exit(2);
}

}  // namespace fiberscope::kit::testing
