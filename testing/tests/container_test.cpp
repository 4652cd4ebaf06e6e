// The container for development, and what other file systems demand of the names and the line ends of the tree.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

const fs::path kFolder = fs::path(ROOT) / ".devcontainer";

using fiberscope::testing::read;

std::set<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::set<std::string> all;
    for (std::string word; in >> word;) all.insert(word);
    return all;
}

/// The lists of packages in cmake/packages.sh: the name of the variable, and what it holds.
std::map<std::string, std::string> lists_in(const std::string& script) {
    static const std::regex kList("(?:^|\n)(packages_[a-z0-9_]+)=\"([^\"]+)\"");
    std::map<std::string, std::string> lists;
    for (std::sregex_iterator it(script.begin(), script.end(), kList), end; it != end; ++it) lists[(*it)[1]] = (*it)[2];
    return lists;
}

/// The names of packages that a second file lists again.
std::string named_again(const std::string& script, const std::string& other) {
    std::string found;
    const std::set<std::string> others = words(other);
    for (const auto& [list, packages] : lists_in(script))
        for (const std::string& package : words(packages))
            if (others.contains(package)) found += package + " ";
    return found;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

/// Whether Windows could not have a file of this name.
bool strange(const std::string& name) {
    return name.find_first_of("<>:\"|?*\\") != name.npos || name.ends_with('.') || name.ends_with(' ');
}

}  // namespace

TEST_CASE("container: its description is JSON, and names files that are there") {
    const auto description = nlohmann::json::parse(read(kFolder / "devcontainer.json"));
    const fs::path dockerfile = kFolder / description.at("build").at("dockerfile").get<std::string>();
    CHECK(fs::exists(dockerfile));
    CHECK(fs::equivalent(kFolder / description.at("build").at("context").get<std::string>(), ROOT));
    CHECK(description.at("remoteUser") == "student");
    CHECK(read(dockerfile).find("useradd --create-home --shell /bin/bash student") != std::string::npos);
}

TEST_CASE("container: the packages stand in cmake/packages.sh only, and all of them are installed") {
    const std::string script = read(fs::path(ROOT) / "cmake/packages.sh"), image = read(kFolder / "Dockerfile");
    CHECK(image.find("COPY cmake/packages.sh ") != image.npos);
    CHECK(image.find("&& install_everything") != image.npos);
    CHECK(named_again(script, image).empty());
    const std::size_t begin = script.find("\ninstall_everything() {");
    REQUIRE(begin != script.npos);
    const std::string everything = script.substr(begin, script.find("\n}", begin) - begin);
    CHECK(lists_in(script).size() >= 4);
    for (const auto& list : lists_in(script)) CHECK(everything.find("$" + list.first) != everything.npos);
}

TEST_CASE("container: a package that a second file names is found") {
    const std::string script = "packages_a=\"g++ cmake\n  gdb\"\npackages_b=\"xvfb\"\n";
    CHECK(lists_in(script).size() == 2);
    CHECK(named_again(script, "install gdb git xvfb") == "gdb xvfb ");
    CHECK(named_again(script, "install git").empty());
}

TEST_CASE("container: names of files differ by more than case, and Windows could have them; lines end alike") {
    std::set<std::string> seen;
    std::string found;
    for (auto it = fs::recursive_directory_iterator(ROOT); it != fs::recursive_directory_iterator(); ++it) {
        const std::string name = it->path().filename().string();
        if (it->is_directory() && (name == ".git" || name == ".cache" || (name == "build" && it.depth() == 0)))
            it.disable_recursion_pending();
        else if (!seen.insert(lower(it->path().string())).second || strange(name) || it->is_symlink())
            found += it->path().string() + "\n";
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(strange("a:b"));
    CHECK(!strange("a_b.json"));
    CHECK(read(fs::path(ROOT) / ".gitattributes").find("\n* text=auto eol=lf\n") != std::string::npos);
}
