#include "labs/grader/words/names.h"

#include <filesystem>
#include <string>

#include "labs/grader/tests/made_lab.h"
#include "labs/grader/words/stubs.h"
#include "labs/grader/words/words.h"
#include "testing/catch.h"

using namespace fiberscope::grader;

TEST_CASE("names: a test is told by its Chinese name, behind the number of its step") {
    const std::filesystem::path file = std::filesystem::path(SCRATCH) / "names.zh.txt";
    testing::write(file, "bread is baked\n  面包烤好\nby oven:\n  用烤炉：\na rule: salt\n  规则：盐\n");
    learn_names(file);
    CHECK(name_in_words("1.3 bread is baked") == "1.3 bread is baked");
    set_language(fiberscope::grader::Language::chinese);
    const std::string whole = name_in_words("1.3 bread is baked"),
                      begun = name_in_words("1.12 by oven: bread is baked"), rule = name_in_words("1.4 a rule: salt"),
                      unknown = name_in_words("1.3 by oven: cake is baked"), bare = name_in_words("bread");
    set_language(fiberscope::grader::Language::english);
    CHECK(whole == "1.3 面包烤好");
    CHECK(begun == "1.12 用烤炉：面包烤好");
    CHECK(rule == "1.4 规则：盐");
    CHECK(unknown == "1.3 by oven: cake is baked");
    CHECK(bare == "bread");
}

TEST_CASE("stubs: what a function shall do is told in Chinese, behind its name, and what was thrown before") {
    const std::filesystem::path file = std::filesystem::path(SCRATCH) / "stubs.zh.txt";
    testing::write(file, "knead; then bake\n  揉面，然后烘烤\n");
    learn_stubs(file);
    CHECK(stub_in_words("Oven::run: knead; then bake") == "Oven::run: knead; then bake");
    set_language(fiberscope::grader::Language::chinese);
    const std::string whole = stub_in_words("Oven::run: knead; then bake"),
                      thrown = stub_in_words("Oven::run: knead; then bake; what it threw: no flour"),
                      unknown = stub_in_words("Oven::run: knead"), bare = stub_in_words("knead; then bake");
    set_language(fiberscope::grader::Language::english);
    CHECK(whole == "Oven::run：揉面，然后烘烤");
    CHECK(thrown == "Oven::run：揉面，然后烘烤；它抛出的是：no flour");
    CHECK(unknown == "Oven::run: knead");
    CHECK(bare == "knead; then bake");
}
