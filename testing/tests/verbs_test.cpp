// What the verbs of ./lab say that need no build: tools/json.cmake and tools/usage.sh.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

std::string said(const std::string& command) {
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    ::pclose(pipe);
    return text;
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

/// Three labs: one of two steps and a challenge, two of one step each.
fs::path made_labs(const std::string& name) {
    fs::path root = fs::temp_directory_path() / ("fiberscope_verbs_" + name);
    fs::remove_all(root);
    const std::string first = R"({"step": "1.1", "title": "bake", "file": "a.cpp"})";
    write(root / "labs/01_bread/steps.json",
          "[" + first + R"(, {"step": "1.2", "title": "sell", "file": "a.cpp"},)" +
              R"({"step": "1.3", "title": "fly", "file": "a.cpp", "challenge": true}])");
    write(root / "labs/02_cake/steps.json", R"([{"step": "2.1", "title": "eat", "file": "b.cpp"}])");
    write(root / "labs/03_tea/steps.json", R"([{"step": "3.1", "title": "drink", "file": "c.cpp"}])");
    return root;
}

std::string progress(const fs::path& root, const std::string& options = "") {
    return said("cmake -DASK=progress -DLABS=" + (root / "labs").string() + " -DREPORTS=" + root.string() + " " +
                options + " -P " ROOT "/tools/json.cmake");
}

std::string report(const std::string& tests) { return "{\"tests\": [" + tests + "]}"; }
std::string test(const std::string& name, const std::string& result) {
    return R"({"name": ")" + name + R"( works", "result": ")" + result + "\"}";
}

std::string help(const std::string& words, const std::string& environment = "LC_ALL=C") {
    return said("cd " ROOT " && env -u LC_MESSAGES " + environment + " ./lab " + words);
}

}  // namespace

TEST_CASE("verbs: progress counts a challenge beside the steps") {
    const fs::path root = made_labs("challenge");
    CHECK(progress(root).starts_with("  → 01_bread          0 of 2 steps solved, and a challenge; now: 1.1 bake\n"));
    const std::string both = test("1.1", "passed") + "," + test("1.2", "passed") + ",";
    write(root / "check_01.json", report(both + test("1.3", "failed")));
    CHECK(progress(root).starts_with("  ✓ 01_bread          solved, 2 steps, and a challenge\n"));
    write(root / "check_01.json", report(both + test("1.3", "passed")));
    CHECK(progress(root).starts_with("  ✓ 01_bread          solved, 2 steps, and its challenges\n"));
    CHECK(progress(root, "-DLANGUAGE=zh").find("挑战题也解决了\n") != std::string::npos);
}

TEST_CASE("verbs: progress says which labs a tree came with") {
    const fs::path root = made_labs("given");
    write(root / "labs/solved_through", "2\n");
    CHECK(progress(root) ==
          "  ✓ 01_bread          solved for you, 2 steps\n"
          "  ✓ 02_cake           solved for you, 1 steps\n"
          "  → 03_tea            0 of 1 steps solved; now: 3.1 drink\n"
          "Next: step 3.1 drink. Type ./lab check 03\n");
    write(root / "check_02.json", report(test("2.1", "failed")));  // what was checked since counts
    CHECK(progress(root).find("→ 02_cake           0 of 1 steps solved; now: 2.1 eat") != std::string::npos);
}

TEST_CASE("verbs: each says what it does when it is asked for help, and does nothing") {
    for (const char* verb :
         {"progress", "watch", "hint", "reset", "run", "debug", "bench", "tool", "demo", "explore"}) {
        INFO(verb);
        const std::string text = help(std::string(verb) + " --help");
        CHECK(text.find(std::string("./lab ") + verb) != std::string::npos);
        CHECK(std::count(text.begin(), text.end(), '\n') < 10);
    }
    CHECK(help("debug 01 --help") == help("debug --help"));
    CHECK(help("run 01 -h").find("--strategy") != std::string::npos);
    // What stands behind a demo is for the demo.
    CHECK(said("bash -c '. " ROOT "/tools/usage.sh; asks_for_help run 05 echo --help && echo for the lab'").empty());
    CHECK(help("hint --help").find("./lab view") == std::string::npos);
}

TEST_CASE("verbs: what a student can type is said in Chinese too, line by line the same commands") {
    const auto usage = [](const std::string& settings) {
        return said("bash -c 'root=" ROOT "; . $root/tools/say.sh; . $root/tools/usage.sh; " + settings + " usage'");
    };
    for (const char* reader : {"is_student=", "is_student=yes"}) {
        const auto commands = [&](const std::string& language) {
            const std::string text = usage(reader + (" language=" + language));
            static const std::regex kCommand("\n  *(?:./lab [a-z]*|--[a-z]*)");
            std::string all;
            for (std::sregex_iterator it(text.begin(), text.end(), kCommand), end; it != end; ++it) all += it->str();
            return all;
        };
        CHECK(commands("en").find("./lab progress") != std::string::npos);
        CHECK(commands("en") == commands("zh"));
    }
    CHECK(help("", "LC_ALL= LANG=zh_CN.UTF-8").find("学生自己的代码树") != std::string::npos);
    CHECK(usage("is_student=yes language=zh").find("所有的 lab") != std::string::npos);
}

TEST_CASE("verbs: what is typed wrong is said in the language of the reader") {
    CHECK(help("check 07") == "lab: there is no lab 07; there are: 01 02 03 04 05 06\n");
    CHECK(help("check 07", "LC_ALL= LANG=zh_CN.UTF-8").find("lab：没有 lab 07；有：01 02 03 04 05 06\n") !=
          std::string::npos);
    CHECK(help("hint 6.9") == "lab: lab 06 has no step 6.9\n");
    CHECK(help("check --help", "LC_ALL= LANG=zh_CN.UTF-8").find("处理器时间") != std::string::npos);
}

TEST_CASE("verbs: a stub is found where it stands, and not where it is commented out") {
    const fs::path root = made_labs("stubs");
    const auto stubs = [&](const std::string& source, const char* name = "a.cpp") {
        write(root / name, source);
        return said("awk -f " ROOT "/tools/stubs.awk " + (root / name).string());
    };
    const std::string stub = R"(kit::not_implemented("1.1", "bake: put it in");)", block = stub + " }";
    const std::string code = R"(1.1 kit::not_implemented("1.1","bake: put it in");})"
                             "\n";
    CHECK(stubs("void bake() { " + block) == code);
    CHECK(stubs("void bake() {\n    // it's hot: \" {\n    " + stub + "\n}\n") == code);
    CHECK(stubs("void bake() { char c = '{'; /* } */ }\nvoid b() { " + block) == code);
    CHECK(stubs("void bake() {\n    // " + stub + "\n    oven.take(bread);\n}\n").empty());
    CHECK(stubs("void bake() { /* " + stub + " */ }").empty());
    CHECK(stubs("void bake() { oven.take(bread); " + block) != code);
    CHECK(stubs("void bake() { if (hot) " + stub + " " + block) == [&](const std::string& both) {
        return both + both;
    }(R"(1.1 if(hot)kit::not_implemented("1.1","bake: put it in");)" + code.substr(4)));
    const std::string text = "not_written_yet:\n .string \"1.2 _switch: save\"\n";
    CHECK(stubs("/* 1.2 */\n_switch: call fiberscope_not_implemented@PLT\n" + text, "b.S").starts_with("1.2 "));
    CHECK(stubs("_switch: ret\n" + text, "b.S").empty());
}

TEST_CASE("verbs: a step is not written as long as every stub that it was given stands as it was") {
    const fs::path root = made_labs("written");
    const auto stub = [](const std::string& step, const std::string& name) {
        return "void " + name + "() { kit::not_implemented(\"" + step + "\", \"" + name + ": do it\"); }\n";
    };
    const fs::path file = root / "labs/01_bread/exercise/a.cpp";
    write(file, stub("1.1", "bake") + stub("1.2", "sell") + stub("1.2", "pay"));
    write(root / "tools/stubs.awk", read(fs::path(ROOT) / "tools/stubs.awk"));
    said("cd " + root.string() + " && git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm a");
    const auto counted = [&](const std::string& source) {
        write(file, source);
        return said("bash -c 'root=" + root.string() + " is_student=yes; . " ROOT "/tools/written.sh; " +
                    "count_stubs 01_bread'");
    };
    CHECK(counted(read(file)) == "1.1 1 1\n1.2 2 2\n");
    CHECK(counted("// it begins\n" + read(file)) == "1.1 1 1\n1.2 2 2\n");
    CHECK(counted("void bake() {}\n" + stub("1.2", "sell") + stub("1.2", "pay")) == "1.1 1 0\n1.2 2 2\n");
    CHECK(counted(stub("1.1", "bake") + "void sell() { take(); }\n" + stub("1.2", "pay")) == "1.1 1 1\n1.2 2 1\n");
    CHECK(counted("") == "1.1 1 0\n1.2 2 0\n");
}

TEST_CASE("verbs: a copy that reset has kept is no file of the exercise") {
    const fs::path root = made_labs("kept");
    write(root / "labs/01_bread/exercise/a.cpp", "");
    write(root / "labs/01_bread/exercise/a.cpp.kept-20260101-000000", "");
    write(root / "labs/01_bread/exercise/b.cpp", "");
    CHECK(said("bash -c 'root=" + root.string() + "; . " ROOT "/tools/student.sh; files_of_exercise 01_bread'") ==
          "a.cpp b.cpp");
}
