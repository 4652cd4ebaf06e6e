// Step 4.15, given: a program that is data. A text becomes instructions, which lie one behind the other.
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
    push,     ///< a value
    load,     ///< the value of a local
    store,    ///< a value is taken off, into a local
    add,      ///< two values are taken off, and their sum put down
    sub,      ///< the same with their difference
    drop,     ///< a value is taken off
    jump,     ///< to a label
    jump_if,  ///< to a label, if the value that is taken off is not 0
    call,     ///< a function, with the value that is taken off; its result is put down
    ret,      ///< the value that is taken off is the result
    defer,    ///< a call of a function with the value that is taken off, when this one returns
    native,   ///< a function of C++, with the value that is taken off; its result is put down
    yield,
    sleep,  ///< for the value that is taken off, ns
    park,   ///< until it is woken
    work,   ///< for the value that is taken off, ns
    say,    ///< a note: a text, and the value that is taken off
    fail,   ///< by an exception with a text
};

struct Instruction {
    Op op;
    Number operand = 0;     ///< a value, a local, where to go, a function, a native function
    std::string text = {};  ///< of park, say, fail
};

struct Function {
    std::string name;
    std::vector<std::string> locals;  ///< their names; the first one is the argument
    std::size_t begin = 0;            ///< its first instruction
};

/// A function of C++ that a program can call. What it throws is a failure of the frame that calls it.
using Native = std::function<Number(Interpreter& interpreter, Number argument)>;

/// One instruction a line, `fn NAME ARGUMENT LOCAL …` above those of a function, `NAME:` for a label of it:
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
/// Must outlive what runs it. Throws std::invalid_argument that names the line.
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
