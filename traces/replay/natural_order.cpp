#include "traces/replay/natural_order.h"

#include <algorithm>

namespace fiberscope::trace {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::string_view digits_at(std::string_view text, std::size_t at) noexcept {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    return text.substr(at, end - at);
}

int compare_integers(std::string_view a, std::string_view b) noexcept {
    a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
    b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return a.compare(b);
}

int compare_fractions(std::string_view a, std::string_view b) noexcept {
    while (a.ends_with('0')) a.remove_suffix(1);
    while (b.ends_with('0')) b.remove_suffix(1);
    return a.compare(b);
}

bool negative(std::string_view text) noexcept { return text.size() > 1 && text[0] == '-' && is_digit(text[1]); }

int compare_positive(std::string_view a, std::string_view b) noexcept {
    std::size_t i = 0, j = 0;
    bool fraction = false;  // the next digits follow a decimal point
    while (i < a.size() && j < b.size()) {
        const std::string_view left = digits_at(a, i), right = digits_at(b, j);
        if (!left.empty() && !right.empty()) {
            const int order = fraction ? compare_fractions(left, right) : compare_integers(left, right);
            if (order != 0) return order;
            i += left.size();
            j += right.size();
            fraction = !fraction && a.substr(i, 1) == "." && b.substr(j, 1) == ".";
            continue;
        }
        if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]) ? -1 : 1;
        fraction = fraction && a[i] == '.';
        ++i;
        ++j;
    }
    return (i < a.size() ? 1 : 0) - (j < b.size() ? 1 : 0);
}

}  // namespace

int compare_naturally(std::string_view a, std::string_view b) noexcept {
    if (negative(a) != negative(b)) return negative(a) ? -1 : 1;
    return negative(a) ? compare_positive(b.substr(1), a.substr(1)) : compare_positive(a, b);
}

}  // namespace fiberscope::trace
