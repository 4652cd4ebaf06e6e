// What each stub of a lab says that it shall do stands in Chinese in labs/kit/report/stubs.zh.txt, where the grader
// finds it (labs/grader/words/stubs.h); and what stands there is said by a stub.
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

/// Behind the name of the function: "save the caller" of not_implemented("1.2", "_switch: save the caller").
std::set<std::string> stubs_in(const std::string& source) {
    static const std::regex kStub(
        R"re((?:not_implemented\(\s*"[0-9.]+",\s*|\.string\s+"[0-9.]+ )((?:"[^"]*"\s*)+|[^"]*"))re"),
        kBetween(R"("\s*")");
    std::set<std::string> found;
    for (std::sregex_iterator it(source.begin(), source.end(), kStub), end; it != end; ++it) {
        std::string what = std::regex_replace(it->str(1), kBetween, "");
        what.erase(what.rfind('"'));
        found.insert(what.substr(what.find(": ") + 2));
    }
    return found;
}

}  // namespace

TEST_CASE("stubs: what each shall do stands in Chinese too, and nothing else does") {
    const fs::path labs = fs::path(ROOT) / "labs", file = labs / "kit" / "report" / "stubs.zh.txt";
    const auto known = fiberscope::testing::translations_in(file);
    std::set<std::string> stubs;
    for (const auto& lab : fs::directory_iterator(labs))
        if (fs::is_directory(lab.path() / "exercise"))
            for (const auto& entry : fs::directory_iterator(lab.path() / "exercise"))
                stubs.merge(stubs_in(fiberscope::testing::read(entry.path())));
    std::string missing, unsaid;
    for (const std::string& stub : stubs)
        if (known.count(stub) == 0) missing += stub + "\n";
    for (const auto& [english, chinese] : known)
        if (stubs.count(english) == 0 || english == chinese) unsaid += english + "\n";
    INFO("write these into " << file << ", and below each its Chinese, two columns in:\n" << missing);
    CHECK(missing.empty());
    INFO("no stub says these, or they are not Chinese:\n" << unsaid);
    CHECK(unsaid.empty());
    CHECK(stubs.size() > 150);
}
