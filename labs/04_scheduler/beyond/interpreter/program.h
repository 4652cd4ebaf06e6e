// Step 4.15, given: a program as data. A text is translated to a sequence of instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::lab04 {

class Interpreter;
using Number = std::int64_t;

enum class Op : std::uint8_t {
    push,     ///< pushes a value
    load,     ///< pushes the value of a local
    store,    ///< pops a value into a local
    add,      ///< pops two values, pushes their sum
    sub,      ///< pops two values, pushes their difference
    drop,     ///< pops a value
    jump,     ///< jumps to a label
    jump_if,  ///< pops a value, jumps to a label if it is not 0
    call,     ///< pops the argument of a function, pushes its result
    ret,      ///< pops the result, returns it
    defer,    ///< pops the argument of a function, which is called when this one returns
    native,   ///< pops the argument of a C++ function, pushes its result
    yield,
    sleep,  ///< pops the duration, ns
    park,   ///< parks until it is woken
    work,   ///< pops the duration, ns
    say,    ///< pops a value, records a note with a text and the value
    fail,   ///< throws an exception with a text
};

struct Instruction {
    Op op;
    Number operand = 0;     ///< a value, a local, a jump target, a function, a native function
    std::string text = {};  ///< for park, say, fail
};

struct Function {
    std::string name;
    std::vector<std::string> locals;  ///< their names; the first one is the argument
    std::size_t begin = 0;            ///< its first instruction
};

/// A C++ function that a program can call. Its exceptions are failures of the calling frame.
using Native = std::function<Number(Interpreter& interpreter, Number argument)>;

/// One instruction per line; a function begins with `fn NAME ARGUMENT LOCAL …`, and `NAME:` is a label:
///
///     fn main n
///     again: yield
///       load n
///       push 1
///       sub
///       store n
///       load n
///       jump_if again
///       push 0
///       ret
///
/// Must outlive its coroutines. Throws std::invalid_argument that names the line.
class Program {
  public:
    explicit Program(std::string_view text, std::map<std::string, Native, std::less<>> natives = {});

    const Instruction& at(std::size_t pc) const noexcept { return code_[pc]; }
    /// Throws std::invalid_argument if there is none of that name.
    const Function& function(std::string_view name) const;
    const Function& function(Number number) const noexcept { return functions_[static_cast<std::size_t>(number)]; }
    const Native& native(Number number) const noexcept { return *natives_[static_cast<std::size_t>(number)]; }

  private:
    friend class Assembler;
    std::vector<Instruction> code_;
    std::vector<Function> functions_;
    std::map<std::string, Native, std::less<>> named_;
    std::vector<const Native*> natives_;
};

}  // namespace fiberscope::lab04
