// The alignment of two sequences, held against the longest common subsequence as the textbook's table gives it.
#include "viewer/layout/trace_facts/alignment.h"

#include <algorithm>
#include <random>

#include "testing/catch.h"

using namespace fiberscope::viewer;

namespace {

using Sequence = std::vector<std::uint32_t>;

/// Its length by the table of all prefixes: quadratic, and nothing of the code that is tested.
std::size_t longest_common(const Sequence& a, const Sequence& b) {
    std::vector<std::size_t> row(b.size() + 1, 0);
    for (const std::uint32_t x : a) {
        std::size_t diagonal = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = x == b[j] ? diagonal + 1 : std::max(above, row[j]);
            diagonal = above;
        }
    }
    return row.back();
}

/// What lies between the gaps is the same in both, is as long as is said, and no gap is empty or touches the next.
bool is_sound(const Sequence& a, const Sequence& b, const Alignment& found) {
    std::size_t x = 0, y = 0, agree = 0;
    std::vector<Gap> gaps = found.gaps;
    gaps.push_back({a.size(), a.size(), b.size(), b.size()});
    for (const Gap& gap : gaps) {
        const bool last = &gap == &gaps.back();
        if (gap.first_begin < x || gap.second_begin < y || gap.first_begin - x != gap.second_begin - y) return false;
        if (!last && x > 0 && gap.first_begin == x) return false;
        if (!last && gap.first_begin == gap.first_end && gap.second_begin == gap.second_end) return false;
        for (; x < gap.first_begin; ++x, ++y, ++agree)
            if (a[x] != b[y]) return false;
        x = gap.first_end;
        y = gap.second_end;
    }
    return agree == found.agree;
}

Sequence random_sequence(std::mt19937& random, std::size_t most, std::uint32_t letters) {
    Sequence all(random() % (most + 1));
    for (std::uint32_t& one : all) one = static_cast<std::uint32_t>(random() % letters);
    return all;
}

/// `all` with some elements left out, put in or changed.
Sequence changed(std::mt19937& random, const Sequence& all, unsigned one_in) {
    Sequence out;
    for (const std::uint32_t one : all) {
        const auto way = random() % one_in;
        if (way == 0) continue;
        if (way == 1) out.push_back(static_cast<std::uint32_t>(random() % 7));
        out.push_back(one);
    }
    return out;
}

}  // namespace

TEST_CASE("of two random sequences as many elements agree as the longest common subsequence has") {
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        const std::uint32_t letters = 1 + static_cast<std::uint32_t>(random() % 9);
        const Sequence a = random_sequence(random, 60, letters);
        const Sequence b = i % 2 == 0 ? random_sequence(random, 60, letters) : changed(random, a, 4);
        const Alignment found = align(a, b);
        INFO(i);
        CHECK(found.longest);
        CHECK(found.agree == longest_common(a, b));
        CHECK(is_sound(a, b, found));
    }
}

TEST_CASE("sequences of some thousands are aligned to the longest, however they differ") {
    std::mt19937 random(2);
    const Sequence a = random_sequence(random, 3000, 12), b = random_sequence(random, 3000, 12);
    const Alignment found = align(a, b);
    CHECK(found.longest);
    CHECK(found.agree == longest_common(a, b));
    CHECK(is_sound(a, b, found));
    CHECK(align({}, a).gaps.size() == 1);
    CHECK(align(a, a).gaps.empty());
}

TEST_CASE("a million elements that differ everywhere are aligned soundly, and it is said that more may agree") {
    std::mt19937 random(3);
    Sequence a(1'000'000), b(1'000'000);
    for (std::uint32_t& one : a) one = static_cast<std::uint32_t>(random() % 50);
    for (std::uint32_t& one : b) one = static_cast<std::uint32_t>(random() % 50);
    const Alignment far = align(a, b);
    CHECK_FALSE(far.longest);
    CHECK(far.agree > 100'000);
    CHECK(is_sound(a, b, far));
    INFO("a few differences among as many are found exactly");
    b = a;
    for (std::size_t i = 500; i < b.size(); i += 50'000) b[i] = 99;
    const Alignment near = align(a, b);
    CHECK(near.longest);
    CHECK(near.agree == 999'980);
    CHECK(near.gaps.size() == 20);
    CHECK(is_sound(a, b, near));
}
