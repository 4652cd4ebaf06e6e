// The table of docs/lab05/limits.md, in both languages: what it says of a call is what lab05_limits tries, and every
// call that it says stops the thread is tried.
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

const fs::path kLab = fs::path(ROOT) / "labs/05_epoll_io", kPages = fs::path(ROOT) / "docs/lab05";

std::set<std::string> found(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::set<std::string> all;
    for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) all.insert((*it)[1]);
    return all;
}

/// The calls that a program's list of rows tries.
std::set<std::string> tried(const char* program) {
    return found(read(kLab / "programs" / program), "\\{\"(\\w+)\", by_\\w+\\}");
}

/// The names in the first column of the rows whose second column begins with `kind`.
std::set<std::string> said(const std::string& page, const std::string& kind) {
    std::set<std::string> all;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t second = line.find(" | ");
        if (line.starts_with("| ") && second != line.npos && line.compare(second + 3, kind.size(), kind) == 0)
            all.merge(found(line.substr(0, second), "`([\\w:]+)`"));
    }
    return all;
}

/// Of `some`, those that are not among `others`.
std::string without(const std::set<std::string>& some, const std::set<std::string>& others) {
    std::string all;
    for (const std::string& one : some)
        if (!others.contains(one)) all += one + " ";
    return all;
}

/// Not calls; or they wait for what no test can give: a name server, a disk.
const std::set<std::string> kNotTried{"std::cin", "SO_LINGER", "getaddrinfo", "fsync"};

void check_table(const char* page_name, const char* hooked, const char* stops) {
    const std::string page = read(kPages / page_name);
    INFO(page_name);
    CHECK(without(tried("limits_rows.cpp"), said(page, hooked)) == "");
    CHECK(without(tried("limits_stops.cpp"), said(page, stops)) == "");
    std::set<std::string> known = tried("limits_stops.cpp");
    known.insert(kNotTried.begin(), kNotTried.end());
    CHECK(without(said(page, stops), known) == "");
    CHECK(said(page, stops).size() > 20);
}

}  // namespace

TEST_CASE("limits: the table of what stops the thread says of each call what the program tries") {
    check_table("limits.md", "hooked", "stops the thread");
    check_table("limits.zh.md", "已 hook", "停住线程");
}

TEST_CASE("limits: each demo that the table names is there") {
    std::string programs;
    for (const char* file : {"limits_calls.cpp", "limits_rows.cpp", "limits_shared.cpp", "limits_libraries.cpp"})
        programs += read(kLab / "programs" / file);
    const std::set<std::string> demos = found(programs, "\\{\"(\\w+)\", \"[^\"]+\",\\s+\\w+\\}");
    for (const char* page : {"limits.md", "limits.zh.md"}) {
        const std::string table = read(kPages / page);
        const std::set<std::string> named =
            found(table,
                  "\\n\\|[^|\\n]+\\| (?:hooked|stops|shared|the|已|停|共|同|第|属)[^|\\n]*\\|[^|\\n]*\\| `(\\w+)` \\|");
        INFO(page);
        CHECK(without(named, demos) == "");
        CHECK(named.size() > 12);
    }
}
