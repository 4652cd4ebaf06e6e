// Converts mangled and demangled names to short readable ones.
#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "traces/record/symbols/elf.h"

namespace fiberscope::trace::detail::elf {
namespace {

/// Where the parameters of a name that ends in ')' begin; npos if it has none.
std::size_t parameters(std::string_view name) noexcept {
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == ')') ++depth;
        if (name[i] == '(' && --depth == 0) return i;
    }
    return std::string_view::npos;
}

std::string_view without_suffixes(std::string_view name) noexcept {
    for (const std::string_view suffix : {" &", " &&", " volatile", " const"})
        if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
    return name;
}

// A template's demangled name begins with its return type: everything before the last blank outside of brackets.
std::string_view without_return_type(std::string_view name) noexcept {
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        const char c = name[i];
        if (c == '>' || c == ')' || c == '}') ++depth;
        if (c == '<' || c == '(' || c == '{') --depth;
        if (c == ' ' && depth == 0) return name.substr(i + 1);
    }
    return name;
}

void drop_all(std::string& text, std::string_view what) {
    for (std::size_t at; (at = text.find(what)) != std::string::npos;) text.erase(at, what.size());
}

// Removes parameter lists in the middle of a name, which belong to the functions around a lambda; other parentheses are
// kept.
void drop_inner_parameters(std::string& name) {
    for (std::size_t at = name.find('('); at != std::string::npos; at = name.find('(', at + 1)) {
        const std::string_view rest = std::string_view(name).substr(at);
        if (rest.starts_with("(anonymous namespace)")) continue;
        int depth = 0;
        std::size_t end = 0;
        do {
            if (rest[end] == '(') ++depth;
            if (rest[end] == ')') --depth;
        } while (++end < rest.size() && depth > 0);
        name.erase(at--, end);
    }
}

// A lambda in a std::function is named as the lambda alone; the wrapper is omitted.
std::string_view without_function(std::string_view name) noexcept {
    constexpr std::string_view kHandler = "std::_Function_handler<", kInvoke = ">::_M_invoke";
    if (!name.starts_with(kHandler) || !name.ends_with(kInvoke)) return name;
    const std::size_t target = name.find("), ");
    if (target == std::string_view::npos) return name;
    name.remove_suffix(kInvoke.size());
    return name.substr(target + 3);
}

// "demo(Options const&)::{lambda(int)#1}::operator()(int) const" is "demo::{lambda#1}".
std::string of_lambda(std::string_view whole) {
    std::string name(without_function(without_parameters(whole)));
    if (name.find("{lambda(") == std::string::npos) return name;
    drop_all(name, "::operator()");
    drop_inner_parameters(name);
    drop_all(name, " const");
    return name;
}

/// Parser for the nested names of the Itanium ABI without templates, local scopes or operators.
class NestedName {
  public:
    explicit NestedName(std::string_view mangled) noexcept : rest_(mangled) {}

    /// Writes the name; returns false, after writing part of it, if it has another form.
    bool put(Text& out) noexcept {
        if (!skip("_Z")) return false;
        skip("L");
        if (!skip("N")) return component(out);
        while (skip("K") || skip("V")) {
        }
        for (bool first = true; !skip("E"); first = false) {
            if (!first) out.put("::");
            if (!component(out)) return false;
        }
        return true;
    }

  private:
    bool skip(std::string_view what) noexcept {
        if (!rest_.starts_with(what)) return false;
        rest_.remove_prefix(what.size());
        return true;
    }
    bool component(Text& out) noexcept {
        if (skip("St")) return out.put("std"), true;
        skip("L");
        std::size_t length = 0;
        while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9' && length < rest_.size()) {
            length = length * 10 + static_cast<std::size_t>(rest_[0] - '0');
            rest_.remove_prefix(1);
        }
        if (length == 0 || length > rest_.size()) return false;
        const std::string_view name = rest_.substr(0, length);
        rest_.remove_prefix(length);
        out.put(name.starts_with("_GLOBAL__N_") ? std::string_view("(anonymous namespace)") : name);
        return rest_.empty() || rest_[0] != 'I';
    }

    std::string_view rest_;
};

}  // namespace

std::string demangled(const std::string& name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> whole(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && whole ? of_lambda(whole.get()) : name;
}

void put_demangled(Text& out, std::string_view name) noexcept {
    const std::size_t before = out.size();
    if (NestedName(name).put(out)) return;
    out.shorten(before);
    out.put(name);
}

std::string_view without_parameters(std::string_view name) noexcept {
    name = name.substr(0, name.find(" [clone"));
    name = without_suffixes(name);
    if (!name.ends_with(')')) return name;
    const std::string_view cut = name.substr(0, parameters(name));
    if (cut.empty()) return name;
    if (cut.find("operator") != std::string_view::npos) return cut;
    return without_return_type(cut);
}

}  // namespace fiberscope::trace::detail::elf
