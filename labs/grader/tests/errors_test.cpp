// What `check` says of files that do not compile, assemble or link: the words of the compiler, the assembler or the
// linker reach the student, of whichever kind the mistake is.
#include <string>
#include <vector>

#include "labs/grader/tests/made_lab.h"
#include "testing/catch.h"

using namespace fiberscope::grader::testing;

namespace {

struct Mistake {
    const char* file;  ///< in exercise/
    const char* text;
    const char* told;
};

constexpr const char* kCpp = "context.cpp";
constexpr const char* kAssembly = "switch.S";

const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all{
        {kCpp, "int f( {", "error: expected"},
        {kCpp, "int f() { return nowhere; }", "was not declared in this scope"},
        {kCpp, "int f() { return \"x\"; }", "error: invalid conversion"},
        {kCpp, "#include \"nowhere.h\"", "nowhere.h: No such file or directory"},
        {kCpp, "namespace a {", "error: expected"},
        {kCpp, "#error not yet", "#error not yet"},
        {kCpp, "#if 1", "error: unterminated #if"},
        {kCpp, "static_assert(sizeof(int) == 3, \"three\");", "static assertion failed: three"},
        {kCpp, "int f() { return 1; }\nint f() { return 2; }", "error: redefinition of"},
        {kCpp, "#include <vector>\nstd::vector<void> all(3);", "context.cpp:2:"},
        {kCpp, "[[maybe_unused]] make_it();", "context.cpp:1:"},
        {kCpp, "void f() { asm(\"moveq %rax, %rbx\"); }", "Error: "},
        {kAssembly, "moveq %rax, %rbx", "switch.S:1: Error: "},
        {kAssembly, "mov 8(%rax), 8(%rbx)", "switch.S:1: Error: "},
        {kAssembly, "[mov]", "switch.S:1: Error: "},
        {kAssembly, "make -c here -o there", "switch.S:1: Error: "},
        {kAssembly, "here: nop\nhere:", "switch.S:2: Error: symbol `here' is already defined"},
        {kAssembly, ".nowhere", "switch.S:1: Error: unknown pseudo-op"},
        {kAssembly, "/* no end", "unterminated comment"},
        {kAssembly, ".macro m", "in macro `m' definition"},
        {kAssembly, ".cfi_startproc", "open CFI at the end of file"},
        {kCpp, "int g();\nint f() { return g(); }", "g()"},
        {kCpp, "extern \"C\" int g();\nint f() { return g(); }", "g"},
        {kCpp, "int main() { return 0; }", "main"},
        {kAssembly, ".globl main\nmain: ret", "main"},
        {kAssembly, ".globl start\nstart: jmp nowhere", "nowhere"},
    };
    return all;
}

}  // namespace

TEST_CASE("grader: what is wrong is told in the words of the compiler, the assembler and the linker") {
    Lab lab("errors");
    lab.steps({"1.1"}).tests("^1\\.1 ");
    const std::string dir = lab.dir().string();
    write(lab.dir() / "CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.22)\nproject(p CXX ASM)\nfile(WRITE ${CMAKE_BINARY_DIR}/main.cpp \"int "
          "main() {}\\n\")\nadd_executable(lab09_tests ${CMAKE_BINARY_DIR}/main.cpp exercise/context.cpp "
          "exercise/switch.S)\n");
    for (const char* file : {kCpp, kAssembly}) write(lab.dir() / "exercise" / file, "");
    run("cmake -G Ninja -S " + dir + " -B " + dir + "/build");
    for (const Mistake& mistake : mistakes()) {
        const std::filesystem::path file = lab.dir() / "exercise" / mistake.file;
        write(file, std::string(mistake.text) + "\n");
        const Answer wrong = lab.grade("check", "--build 09_broken/build");
        INFO(mistake.text << "\n" << wrong.text);
        CHECK(wrong.status == 1);
        CHECK(wrong.text.find(mistake.told) != std::string::npos);
        CHECK(wrong.text.find("exercise/" + std::string(mistake.file)) != std::string::npos);
        CHECK(wrong.text.find("FAILED: ") == std::string::npos);
        CHECK(wrong.text.find("collect2") == std::string::npos);
        write(file, "");
    }
}
