#include <algorithm>
#include <ostream>
#include <unordered_map>

#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/replay/replay.h"
#include "traces/tool/verbs.h"
#include "traces/words/names.h"
#include "traces/words/registers.h"
#include "traces/words/sets.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

/// The depth of each node of a tree, computed from its parents: 1 is the root or a node without a parent. In the middle
/// of a rotation the links may form a cycle, whose nodes get depth 1.
std::vector<std::size_t> depths_of(const SetNow& set) {
    std::unordered_map<std::uint32_t, std::size_t> place;
    for (std::size_t i = 0; i < set.nodes.size(); ++i) place[set.nodes[i].id] = i;
    std::vector<std::size_t> depths(set.nodes.size(), 0), path;
    std::vector<bool> on_path(set.nodes.size(), false);
    for (std::size_t i = 0; i < set.nodes.size(); ++i) {
        std::size_t up = i, depth = 0;
        for (path.clear();;) {
            if (depths[up] != 0) depth = depths[up];
            if (depths[up] != 0 || on_path[up]) break;
            on_path[up] = true;
            path.push_back(up);
            const auto parent = place.find(set.nodes[up].parent);
            if (set.nodes[up].id == set.root || parent == place.end()) break;
            up = parent->second;
        }
        const bool round = depth == 0 && !path.empty() && up != path.back();
        for (; !path.empty(); path.pop_back()) {
            depths[path.back()] = round ? 1 : ++depth;
            on_path[path.back()] = false;
        }
    }
    return depths;
}

class StatePrinter {
  public:
    StatePrinter(const Replay& replay, Language language, std::ostream& out)
        : replay_(replay), trace_(replay.trace()), places_(replay), language_(language), out_(out) {}

    void print_moment() const {
        const std::string time = in_words(replay_.time());
        out_ << (replay_.at() == 0 ? says("After event {0} of {1}, at {2}.", replay_.at(), replay_.size(), time)
                                   : says("After event {0} of {1}, at {2}: {3}.", replay_.at(), replay_.size(), time,
                                          describe(trace_, replay_.at() - 1, language_)))
             << '\n';
        if (!trace_.missing.empty() && replay_.at() == replay_.size())
            out_ << says("Note: {0}.", formatted(trace_.missing, language_)) << '\n';
    }
    /// Registers that the switch at the playhead loaded with other values than were saved.
    void print_changed() const {
        if (replay_.at() == 0) return;
        for (const ChangedRegister& changed : changed_registers(trace_))
            if (changed.event + 1 == replay_.at())
                out_ << "  " << says("{0}, loaded into {1}", changed.words, name_in(trace_, changed.co, language_))
                     << '\n';
    }
    void print_machines() const {
        for (std::uint32_t m = 0; m < trace_.machines(); ++m) {
            const auto stack = replay_.caller_stack(m);
            out_ << '\n'
                 << (stack.empty() ? says("machine {0} runs no coroutine", m)
                                   : says("machine {0} runs {1}", m, name_in(trace_, stack[0], language_)));
            for (std::size_t i = 1; i < stack.size(); ++i)
                out_ << says(", resumed by {0}", name_in(trace_, stack[i], language_));
            out_ << '\n';
        }
    }
    void print_coroutines() const {
        out_ << '\n' << says("coroutines") << '\n';
        for (std::uint32_t co = 0; co < replay_.coroutines(); ++co)
            if (replay_.coroutine(co).exists) {
                print_coroutine(co);
                print_registers_of(co);
            }
    }
    void print_coroutine(std::uint32_t co) const {
        out_ << "  " << co << ' ' << name_in(trace_, co, language_)
             << says(" ({0})", state_called(trace_, replay_.coroutine(co).state, language_)) << ' '
             << why_not_running(replay_, places_, co, language_) << '\n';
    }
    /// A short line below the coroutine.
    void print_registers_of(std::uint32_t co) const {
        const auto registers = replay_.registers(co);
        if (registers.empty() || replay_.coroutine(co).state == State::running) return;
        out_ << "     ";
        for (const RegisterValue& r : registers)
            out_ << ' ' << printable(trace_.text(r.name)) << '=' << short_value(printable(trace_.text(r.value)));
        out_ << '\n';
    }
    void print_registers(std::uint32_t co) const {
        const auto registers = replay_.registers(co);
        if (registers.empty()) return;
        out_ << '\n' << says("registers that its last switch saved") << '\n';
        for (const RegisterValue& r : registers)
            out_ << "  " << printable(trace_.text(r.name)) << " = " << printable(trace_.text(r.value)) << '\n';
    }
    void print_sets() const {
        for (const SetNow& set : replay_.sets()) {
            out_ << '\n'
                 << says("{0} ({1}, {2})", set_in(trace_.text(set.name), language_), shape(set.structure),
                         contents(set.role))
                 << (set.hand != kAbsent ? says(", hand at {0}", set.hand) : "")
                 << says(set.members.empty() ? mark(": empty") : mark(":")) << '\n';
            if (set.structure == Structure::rbtree && set.root != kNone)
                print_tree(set);
            else
                for (const Member& m : set.members) out_ << "  " << member(m) << '\n';
        }
    }
    void print_stacks() const {
        for (std::uint32_t stack = 0; stack < trace_.shared_stacks(); ++stack)
            if (const std::uint32_t owner = replay_.shared_stack(stack).owner; owner != kNone)
                out_ << '\n'
                     << says("shared stack {0} belongs to {1}", stack, name_in(trace_, owner, language_)) << '\n';
    }

  private:
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return say(language_, key, values...);
    }
    /// Words of the format if the language is English.
    std::string shape(Structure structure) const {
        if (language_ == Language::english) return std::string(word(structure));
        return says(kStructures[static_cast<std::size_t>(structure)]);
    }
    std::string contents(Role role) const {
        if (language_ == Language::english) return std::string(word(role));
        return says(kMembers[static_cast<std::size_t>(role)]);
    }
    std::string color(const TreeNode& node) const {
        if (node.color == Color::none) return "";
        return says(", {0}", says(node.color == Color::red ? mark("red") : mark("black")));
    }
    std::string member(const Member& m) const {
        std::string text = m.co != kNone ? name_in(trace_, m.co, language_) : says("timer {0}", m.timer);
        if (m.key != kNone) text += says(", {0}", key_in_words(trace_.text(m.key)));
        if (m.at != kAbsent) text += says(", at {0}", m.at);
        return text;
    }
    // Nodes are printed in order, indented by depth up to a limit.
    void print_tree(const SetNow& set) const {
        constexpr std::size_t kDeepest = 32;
        std::unordered_map<std::uint32_t, const Member*> members;
        for (const Member& m : set.members) members[m.co != kNone ? m.co : m.timer] = &m;
        const std::vector<std::size_t> depths = depths_of(set);
        for (std::size_t i = 0; i < set.nodes.size(); ++i) {
            const TreeNode& node = set.nodes[i];
            const auto found = members.find(node.id);
            out_ << std::string(2 * std::min(depths[i], kDeepest), ' ')
                 << (found != members.end() ? member(*found->second)
                                            : says("{0}, not a member yet", name_in(trace_, node.id, language_)))
                 << color(node) << (node.id == set.root ? says(", the root") : "")
                 << (depths[i] > kDeepest ? says(", {0}", says("{0} deep", depths[i])) : "") << '\n';
        }
    }

    const Replay& replay_;
    const Trace& trace_;
    const Places places_;
    const Language language_;
    std::ostream& out_;
};

}  // namespace

int print_state(const Arguments& arguments, std::ostream& out) {
    if (arguments.has("--at") && arguments.has("--time")) throw UsageError("--at and --time exclude each other.");
    const std::uint64_t at = arguments.has("--at") ? arguments.number("--at", 0) : UINT64_MAX;
    const std::uint64_t time = arguments.has("--time") ? arguments.time("--time") : 0;
    const Trace trace = read_events_of(std::filesystem::path(arguments.files[0]));
    Replay replay(trace);
    if (arguments.has("--at") && at > replay.size()) throw UsageError("there are only {0} events.", replay.size());
    replay.seek(arguments.has("--time") ? replay.index_at_time(time) : at);
    const StatePrinter printer(replay, arguments.language(), out);
    printer.print_moment();
    printer.print_changed();
    if (arguments.has("--co")) {
        const std::uint32_t co = find_coroutine(trace, arguments.options.at("--co"));
        out << '\n';
        printer.print_coroutine(co);
        printer.print_registers(co);
        return 0;
    }
    printer.print_machines();
    printer.print_coroutines();
    printer.print_sets();
    printer.print_stacks();
    return 0;
}

}  // namespace fiberscope::trace::tool
