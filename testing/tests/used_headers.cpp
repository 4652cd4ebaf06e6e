#include "testing/tests/used_headers.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>

namespace fiberscope::testing {
namespace {

struct Header {
    const char* headers;  ///< any of these declares
    const char* names;    ///< each of these
};

const Header kHeaders[] = {
    {"algorithm",
     "all_of any_of clamp copy count count_if equal equal_range fill find find_if for_each lower_bound max max_element "
     "min min_element minmax none_of nth_element remove_if reverse rotate shuffle sort stable_sort transform unique "
     "upper_bound"},
    {"array", "array"},
    {"atomic",
     "atomic atomic_thread_fence memory_order_acq_rel memory_order_acquire memory_order_relaxed "
     "memory_order_release memory_order_seq_cst"},
    {"deque", "deque"},
    {"filesystem", "filesystem"},
    {"fstream", "fstream ifstream ofstream"},
    {"functional", "function hash invoke"},
    {"map", "map multimap"},
    {"memory", "make_shared make_unique shared_ptr unique_ptr weak_ptr"},
    {"mutex", "lock_guard mutex scoped_lock unique_lock"},
    {"optional", "nullopt optional"},
    {"set", "multiset set"},
    {"span", "span"},
    {"stdexcept", "invalid_argument logic_error out_of_range runtime_error"},
    {"string", "getline string to_string"},
    {"string_view", "string_view"},
    {"system_error", "generic_category system_category system_error"},
    {"system_error charconv", "errc"},
    {"system_error filesystem", "error_code"},
    {"thread", "jthread this_thread thread"},
    {"vector", "vector"},
};

std::vector<std::string> words(const char* text) {
    std::istringstream stream(text);
    std::vector<std::string> all;
    for (std::string word; stream >> word;) all.push_back(word);
    return all;
}

using Declared = std::map<std::string, std::vector<std::string>>;

/// For each name the headers that declare it.
const Declared& declared() {
    static const Declared all = [] {
        Declared made;
        for (const Header& header : kHeaders)
            for (const std::string& name : words(header.names)) made[name] = words(header.headers);
        return made;
    }();
    return all;
}

/// Without comments up to the end of a line, and without what stands between quotes.
std::string without_words(std::string_view code) {
    std::string kept;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.substr(i).starts_with("//")) {
            i = std::min(code.find('\n', i), code.size());
        } else if (code[i] == '"') {
            for (++i; i < code.size() && code[i] != '"' && code[i] != '\n'; ++i)
                if (code[i] == '\\') ++i;
        }
        if (i < code.size()) kept += code[i];
    }
    return kept;
}

std::set<std::string> names_used(const std::string& code) {
    constexpr std::string_view kPrefix = "std::";
    std::set<std::string> names;
    for (std::size_t at = code.find(kPrefix); at != code.npos; at = code.find(kPrefix, at)) {
        at += kPrefix.size();
        const auto end = std::find_if(code.begin() + static_cast<std::ptrdiff_t>(at), code.end(),
                                      [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
        names.emplace(code.begin() + static_cast<std::ptrdiff_t>(at), end);
    }
    return names;
}

}  // namespace

std::vector<std::string> missing_headers(const std::string& code, const std::set<std::string>& included) {
    std::vector<std::string> missing;
    for (const std::string& name : names_used(without_words(code))) {
        const auto known = declared().find(name);
        if (known == declared().end()) continue;
        const auto& headers = known->second;
        if (std::none_of(headers.begin(), headers.end(), [&](const auto& one) { return included.contains(one); }))
            missing.push_back("std::" + name + " needs <" + headers.front() + ">");
    }
    return missing;
}

}  // namespace fiberscope::testing
