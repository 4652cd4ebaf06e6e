// Given: translates the text of a program to instructions.
#include "labs/04_scheduler/beyond/interpreter/program.h"
#include "languages/spoken_error.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace fiberscope::lab04 {

namespace assembling {

enum class Operand : std::uint8_t { none, value, local, label, function, native, text };

struct OpRow {
    std::string_view name;
    Operand operand = Operand::none;
};
/// In the order of Op.
constexpr auto kOps = std::to_array<OpRow>({{"push", Operand::value},
                                            {"load", Operand::local},
                                            {"store", Operand::local},
                                            {"add"},
                                            {"sub"},
                                            {"drop"},
                                            {"jump", Operand::label},
                                            {"jump_if", Operand::label},
                                            {"call", Operand::function},
                                            {"ret"},
                                            {"defer", Operand::function},
                                            {"native", Operand::native},
                                            {"yield"},
                                            {"sleep"},
                                            {"park", Operand::text},
                                            {"work"},
                                            {"say", Operand::text},
                                            {"fail", Operand::text}});

}  // namespace assembling

using assembling::kOps;
using assembling::Operand;
using assembling::OpRow;

class Assembler {
  public:
    explicit Assembler(Program& program) : program_(program) {}

    void read(std::string_view text) {
        std::istringstream lines{std::string(text)};
        for (std::string line; std::getline(lines, line);) {
            ++number_;
            std::istringstream words(line);
            std::string word;
            if (!(words >> word)) continue;
            if (word == "fn")
                begin_function(words);
            else
                read_line(words, std::move(word));
        }
        require_end();
        for (const Name& name : names_) resolve(name);
    }

  private:
    struct Name {
        std::size_t line, at, function;
        std::string word;
        Operand kind;
    };

    [[noreturn]] void refuse(const std::string& what) const {
        throw Spoken<std::invalid_argument>(message("line {0} of the program: {1}", number_, what));
    }
    void require_end() const {
        if (program_.functions_.empty()) return;
        const Op last = program_.code_.empty() ? Op::push : program_.code_.back().op;
        if (last != Op::ret && last != Op::jump && last != Op::fail)
            refuse("'" + program_.functions_.back().name +
                   "' runs over its end: its last instruction is ret, jump or "
                   "fail");
    }
    void begin_function(std::istringstream& words) {
        require_end();
        Function function;
        if (!(words >> function.name)) refuse("a function needs a name");
        for (std::string local; words >> local;) function.locals.push_back(local);
        if (function.locals.empty()) refuse("'" + function.name + "' needs an argument");
        function.begin = program_.code_.size();
        program_.functions_.push_back(std::move(function));
    }
    void read_line(std::istringstream& words, std::string word) {
        if (program_.functions_.empty()) refuse("an instruction belongs to a function: begin with 'fn NAME ARGUMENT'");
        if (word.back() == ':') {
            word.pop_back();
            labels_[{program_.functions_.size() - 1, word}] = program_.code_.size();
            if (!(words >> word)) return;
        }
        const auto* const row = std::ranges::find(kOps, std::string_view(word), &OpRow::name);
        if (row == kOps.end()) refuse("'" + word + "' is no instruction");
        Instruction instruction{static_cast<Op>(row - kOps.begin())};
        read_operand(words, row->operand, instruction);
        program_.code_.push_back(std::move(instruction));
    }
    void read_operand(std::istringstream& words, Operand kind, Instruction& instruction) {
        if (kind == Operand::none) return;
        if (kind == Operand::text) {
            std::getline(words >> std::ws, instruction.text);
            return;
        }
        std::string word;
        if (kind == Operand::value ? !(words >> instruction.operand) : !(words >> word))
            refuse("an operand is missing");
        if (kind != Operand::value)
            names_.push_back({number_, program_.code_.size(), program_.functions_.size() - 1, word, kind});
    }
    void resolve(const Name& name) {
        number_ = name.line;
        program_.code_[name.at].operand = static_cast<Number>(number_of(name));
    }
    std::size_t number_of(const Name& name) {
        if (name.kind == Operand::native) {
            const auto found = program_.named_.find(name.word);
            if (found == program_.named_.end()) refuse("there is no native function '" + name.word + "'");
            program_.natives_.push_back(&found->second);
            return program_.natives_.size() - 1;
        }
        if (name.kind == Operand::label) {
            const auto found = labels_.find({name.function, name.word});
            if (found == labels_.end()) refuse("there is no label '" + name.word + "' in this function");
            return found->second;
        }
        if (name.kind == Operand::local) {
            const auto& locals = program_.functions_[name.function].locals;
            const auto found = std::ranges::find(locals, name.word);
            if (found == locals.end()) refuse("there is no local '" + name.word + "' in this function");
            return static_cast<std::size_t>(found - locals.begin());
        }
        const auto found = std::ranges::find(program_.functions_, name.word, &Function::name);
        if (found == program_.functions_.end()) refuse("there is no function '" + name.word + "'");
        return static_cast<std::size_t>(found - program_.functions_.begin());
    }

    Program& program_;
    std::map<std::pair<std::size_t, std::string>, std::size_t> labels_;
    std::vector<Name> names_;
    std::size_t number_ = 0;
};

Program::Program(std::string_view text, std::map<std::string, Native, std::less<>> natives)
    : named_(std::move(natives)) {
    Assembler(*this).read(text);
}

const Function& Program::function(std::string_view name) const {
    const auto found = std::ranges::find(functions_, name, &Function::name);
    if (found == functions_.end())
        throw Spoken<std::invalid_argument>(message("the program has no function '{0}'", name));
    return *found;
}

}  // namespace fiberscope::lab04
