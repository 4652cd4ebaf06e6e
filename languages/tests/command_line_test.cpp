#include "languages/command_line.h"

#include <string>
#include <vector>

#include "testing/catch.h"

using namespace fiberscope;

namespace {

/// A program with a verb, and the parsed values.
struct Program {
    CommandLine line{"prog", "About."};
    std::string at;
    unsigned count = 3;
    bool quiet = false;
    std::vector<std::string> files;

    Program() {
        line.flag("--quiet", "Says less", quiet);
        CommandLine& verb = line.verb("show", "Shows files.");
        verb.option("--at", "EVENT", "Where", [this](const std::string& value) { at = value; });
        verb.number("--count", "How many", count, 1U, 64U);
        verb.option("--gone", "VALUE", "", [](const std::string&) { throw SpokenError("there is no such thing"); });
        verb.files("What to show", files);
    }
    bool read(const std::vector<std::string>& words) { return line.read(words); }
    std::string mistake(const std::vector<std::string>& words) {
        try {
            return line.read(words) ? "none" : "help";
        } catch (const SpokenError& error) {
            return error.what();
        }
    }
};

}  // namespace

TEST_CASE("a command line has options, a verb with its own, and files") {
    Program program;
    REQUIRE(program.read({"--quiet", "show", "a", "--at", "-1", "--count=64", "--", "--b"}));
    CHECK(program.line.verb_read() == "show");
    CHECK(program.line.call() == "prog show");
    CHECK(program.quiet);
    CHECK(program.at == "-1");
    CHECK(program.count == 64);
    CHECK(program.files == std::vector<std::string>{"a", "--b"});
    CHECK(program.line.given("--at"));
    CHECK_FALSE(program.line.given("--gone"));
}

TEST_CASE("a mistake on a command line is a sentence") {
    CHECK(Program().mistake({"nix"}) == "unknown verb \"nix\".");
    CHECK(Program().mistake({"--nix"}) == "unknown option --nix.");
    CHECK(Program().mistake({"show", "--quiet"}) == "unknown option --quiet.");
    CHECK(Program().mistake({"--quiet=1"}) == "unexpected argument \"1\".");
    CHECK(Program().mistake({"show", "--at"}) == "--at needs a value.");
    CHECK(Program().mistake({"show", "--at=1", "--at=1"}) == "--at is given twice.");
    CHECK(Program().mistake({"show", "--gone", "1"}) == "there is no such thing");
    for (const char* wrong : {"0", "65", "x", "", "6 ", "-1"})
        CHECK(Program().mistake({"show", "--count", wrong}) ==
              "--count takes a number from 1 to 64, not \"" + std::string(wrong) + "\".");
}

TEST_CASE("help lists the options of the program, or of the verb, and takes none") {
    Program program;
    CHECK_FALSE(program.read({"show", "--at", "1", "-h"}));
    CHECK(program.at.empty());
    CHECK(program.line.help() ==
          "Shows files.\nUsage: prog show [OPTIONS] [FILE...]\n\nFiles:\n  FILE...      What to show\n\nOptions:\n"
          "  -h,--help    Print this and exit\n  --at EVENT   Where\n  --count N=3  How many\n");
    CHECK(Program().line.help() ==
          "About.\nUsage: prog [OPTIONS] [VERB]\n\nOptions:\n  -h,--help  Print this and exit\n"
          "  --quiet    Says less\n\nVerbs:\n  show       Shows files.\n");
}
