// Every test of a lab has its Chinese name in labs/*/names.zh.txt, where the grader finds it
// (labs/grader/words/names.h); and what stands there is the name of a test.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;
using fiberscope::testing::Translations;
using fiberscope::testing::translations_in;

using Names = std::set<std::string>;

/// The names of tests without the number of their step, and the beginnings ("by asm:") that a file gives to those that
/// it includes.
Names names_in(const std::string& source) {
    static const std::regex kName(R"(TEST_CASE\(\s*(?:FIBERSCOPE_\w+\s*)?((?:"(?:[^"\\]|\\.)*"\s*)+))"),
        kBeginning(R"re(#define FIBERSCOPE_STEP\w* "[0-9.]+ ([^"]+:)")re"), kBetween(R"("\s*")"), kEscaped(R"(\\(.))"),
        kNumber(R"(^[0-9.]* )");
    Names found;
    for (std::sregex_iterator it(source.begin(), source.end(), kName), end; it != end; ++it) {
        const std::string joined = std::regex_replace(it->str(1), kBetween, "");
        const std::string bare = std::regex_replace(joined.substr(1, joined.rfind('"') - 1), kNumber, "");
        found.insert(std::regex_replace(bare, kEscaped, "$1"));
    }
    for (std::sregex_iterator it(source.begin(), source.end(), kBeginning), end; it != end; ++it)
        found.insert(it->str(1));
    return found;
}

/// A test's own name, or the parts of one that is made of another: "by asm:" and what stands behind it.
std::vector<std::string> parts_of(const std::string& name, const Translations& known) {
    const std::size_t colon = name.find(": ");
    if (colon == name.npos || known.count(name) != 0 || known.count(name.substr(0, colon + 1)) == 0) return {name};
    return {name.substr(0, colon + 1), name.substr(colon + 2)};
}

struct Room {
    fs::path file;
    Names names;
    Translations known;
};

Room room_of(const fs::path& tests, const fs::path& file) {
    Room room{file, {}, translations_in(file)};
    for (const auto& entry : fs::directory_iterator(tests)) {
        const fs::path extension = entry.path().extension();
        if (extension == ".cpp" || extension == ".h") room.names.merge(names_in(read(entry.path())));
    }
    return room;
}

/// Those of each lab, and those that labs share.
std::vector<Room> all_rooms() {
    const fs::path labs = fs::path(ROOT) / "labs";
    std::vector<Room> rooms{room_of(labs / "kit" / "testing", labs / "kit" / "testing" / "names.zh.txt")};
    for (const auto& lab : fs::directory_iterator(labs))
        if (std::isdigit(static_cast<unsigned char>(lab.path().filename().string()[0])) != 0)
            rooms.push_back(room_of(lab.path() / "tests", lab.path() / "names.zh.txt"));
    return rooms;
}

bool is_ascii(const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x80; });
}

}  // namespace

TEST_CASE("names of tests: each has its Chinese, and none has it that is no test's") {
    std::string missing, wrong;
    std::size_t looked_at = 0;
    for (const Room& room : all_rooms()) {
        const std::string file = room.file.lexically_relative(ROOT).string() + ": ";
        Names used;
        for (const std::string& name : room.names)
            for (const std::string& part : parts_of(name, room.known)) {
                used.insert(part);
                if (room.known.count(part) == 0) missing += file + part + "\n";
            }
        for (const auto& [english, chinese] : room.known) {
            ++looked_at;
            if (used.count(english) == 0) wrong += file + "no test is called: " + english + "\n";
            const bool begins = english.ends_with(':');
            if (is_ascii(chinese) || begins != chinese.ends_with("："))
                wrong += file + english + " | " + chinese + "\n";
        }
    }
    INFO("write these there, without their numbers, and below each its Chinese, two columns in:\n" << missing);
    CHECK(missing.empty());
    INFO(wrong);
    CHECK(wrong.empty());
    CHECK(looked_at > 700);
}

TEST_CASE("names of tests: they are found in a source, however they are put together") {
    CHECK(names_in("TEST_CASE(\"1.3 a \\\"b\\\" c\") {") == Names{"a \"b\" c"});
    CHECK(names_in("TEST_CASE(FIBERSCOPE_STEP \" a, b\") {") == Names{"a, b"});
    CHECK(names_in("TEST_CASE(\n    \"1.3 third: a \"\n    \"b\") {") == Names{"third: a b"});
    CHECK(names_in("#define FIBERSCOPE_STEP_END \"3.4 by asm:\"\n#define FIBERSCOPE_STEP \"3.5\"\n") ==
          Names{"by asm:"});
}
