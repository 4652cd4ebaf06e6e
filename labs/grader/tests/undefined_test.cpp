#include "labs/grader/compiler/undefined.h"

#include <filesystem>
#include <string>

#include "labs/grader/tests/made_lab.h"
#include "labs/grader/words/words.h"
#include "testing/catch.h"

using namespace fiberscope::grader;
namespace fs = std::filesystem;

namespace {

/// A folder of labs with one, in which two of the student's files have a class each, and one a function.
fs::path labs_folder() {
    const fs::path labs = fs::path(SCRATCH) / "undefined", lab = labs / "06_timers";
    testing::write(lab / "exercise/tree_store.cpp", "void TreeStore::add() {}\nbool TreeStore::take() {}\n");
    testing::write(lab / "exercise/heap_store.cpp", "void HeapStore::add() {}\n// as TreeStore::add\n");
    testing::write(lab / "exercise/idle.cpp", "");
    testing::write(lab / "idle.h", "bool serve(int fd);\n");
    return labs;
}

using Sentences = std::vector<std::string>;

}  // namespace

TEST_CASE("undefined: the words of each linker name the function, and the file that should have it") {
    const std::string in_tree =
        "TreeStore::remove(Timer&) is declared and used, but no file defines it: "
        "labs/06_timers/exercise/tree_store.cpp lacks it.";
    for (const char* line :
         {"/usr/bin/ld: a.cpp:12: undefined reference to "
          "`fiberscope::lab06::TreeStore::remove(fiberscope::lab06::Timer&)'",
          "a.cpp:12: error: undefined reference to 'fiberscope::lab06::TreeStore::remove(fiberscope::lab06::Timer&)'",
          "ld.lld: error: undefined symbol: fiberscope::lab06::TreeStore::remove(fiberscope::lab06::Timer&)",
          "mold: error: undefined symbol: fiberscope::lab06::TreeStore::remove(fiberscope::lab06::Timer&)"})
        CHECK(undefined_functions({"one line", line, line}, labs_folder()) == Sentences{in_tree});
}

TEST_CASE("undefined: a function without a class belongs to the file of its header; one of a stranger is not told") {
    const auto told = [](const std::string& symbol) {
        return undefined_functions({"mold: error: undefined symbol: " + symbol}, labs_folder());
    };
    CHECK(told("fiberscope::lab06::serve(int)") ==
          Sentences{
              "serve(int) is declared and used, but no file defines it: labs/06_timers/exercise/idle.cpp lacks it."});
    CHECK(told("fiberscope::lab06::nowhere()") == Sentences{"nowhere() is declared and used, but no file defines it."});
    CHECK(told("pthread_create").empty());
    CHECK(undefined_functions({"a.cpp:1: error: expected ';'"}, labs_folder()).empty());
}
