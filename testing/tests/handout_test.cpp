// What readers get: the tree for students can be written, as no line of a solution stands in what it would hold
// (tools/handout.sh); and every page is found from the reading order and in the site.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

/// What tools/handout.sh says of the last commit with these labs solved ("02": the first two); empty if it writes the
/// tree, or if this tree has no history.
std::string refusal(const std::string& through) {
    const fs::path folder = fiberscope::testing::new_folder();
    const std::string command =
        "git -C '" ROOT "' rev-parse -q --verify HEAD >/dev/null 2>&1 || exit 0; '" ROOT "/tools/handout.sh' '" +
        (folder / "tree").string() + "' --solved-through " + through + " >'" + (folder / "said").string() + "' 2>&1";
    const bool refused = std::system(command.c_str()) != 0;
    const std::string said = read(folder / "said");
    fs::remove_all(folder);
    return refused ? said : "";
}

}  // namespace

TEST_CASE("handout: no line of a solution stands in the tree for students") {
    // A solved lab's lines are no secret any more: what "00" finds is what any other finds, and more.
    const std::string through = GENERATE("00", "03");
    const std::string said = refusal(through);
    INFO("labs solved: " << through << '\n' << said);
    INFO("if the line gives nothing away, add it to tools/handout_known.txt");
    CHECK(said.empty());
}

TEST_CASE("handout: the same commit gives the same bytes") {
    const fs::path folder = fiberscope::testing::new_folder();
    const std::string write = "'" ROOT "/tools/handout.sh' --solved-through 01 >/dev/null '", at = folder.string();
    const std::string command = "git -C '" ROOT "' rev-parse -q --verify HEAD >/dev/null 2>&1 || exit 0; " + write +
                                at + "/one' && " + write + at + "/two' && diff -r '" + at + "/one' '" + at + "/two'";
    const bool same = std::system(command.c_str()) == 0;
    fs::remove_all(folder);
    CHECK(same);
}

TEST_CASE("handout: every page of docs/ is in the reading order and in the contents of the site") {
    const fs::path docs = fs::path(ROOT) / "docs";
    const std::string order = read(docs / "README.md"), site = read(docs / "site/mkdocs.yml");
    std::string found;
    std::size_t pages = 0;
    for (const auto& entry : fs::directory_iterator(docs)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() != ".md" || name == "README.md") continue;
        ++pages;
        if (order.find("(" + name) == order.npos) found += name + " is not in docs/README.md\n";
        if (site.find("docs/" + name + "\n") == site.npos) found += name + " is not in docs/site/mkdocs.yml\n";
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(pages > 10);
}
