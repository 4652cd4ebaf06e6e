// Included before each lab file that trivial.py compiles: selects the functions that are trivially wrong in this
// process.
#pragma once

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace fiberscope_trivial {

struct Wrong : std::runtime_error {
    Wrong() : std::runtime_error("trivially wrong") {}
};

/// FIBERSCOPE_TRIVIAL has three words: the step, the kind, and, if only one function is wrong, its name.
struct Choice {
    char step[16] = "";
    char kind[16] = "";
    char function[128] = "";
};

inline Choice chosen() noexcept {
    Choice choice;
    const char* text = std::getenv("FIBERSCOPE_TRIVIAL");
    if (text != nullptr) std::sscanf(text, "%15s %15s %127s", choice.step, choice.kind, choice.function);
    return choice;
}

// Read before main: later the stack may be small, and the environment different.
inline const Choice choice = chosen();

/// 0: unchanged; 1 to 3: it returns nothing, it returns one, it throws.
inline int kind_of(const char* step, const char* function) noexcept {
    if (std::strcmp(choice.step, step) != 0) return 0;
    if (choice.function[0] != '\0' && std::strcmp(choice.function, function) != 0) return 0;
    return choice.kind[0] == 'r' ? 1 : choice.kind[0] == 'o' ? 2 : 3;
}

/// Returns 0 or 1 as a T, or an empty value if T is not a number. Throws if T has no empty value.
template <class T>
T value(int number) {
    if constexpr (std::is_reference_v<T>)
        throw Wrong();
    else if constexpr (std::is_enum_v<T> || std::is_arithmetic_v<T>)
        return static_cast<T>(number);
    else if constexpr (std::is_default_constructible_v<T>)
        return T{};
    else
        throw Wrong();
}

}  // namespace fiberscope_trivial
