#include "traces/tool/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>

namespace fiberscope::trace::tool {
namespace {

void print_script(const std::string& program, std::ostream& out) {
    std::string function = "_" + program;
    std::replace(function.begin(), function.end(), '-', '_');
    out << function
        << "() { mapfile -t COMPREPLY < <(\"$1\" --complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null); }\n"
        << "complete -o default -F " << function << ' ' << program << '\n';
}

void print_if_it_begins_with(const std::string& begun, const std::string& name, std::ostream& out) {
    if (name.starts_with(begun)) out << name << '\n';
}

}  // namespace

bool complete(const CLI::App& app, std::span<const std::string> words, std::ostream& out) {
    if (words.empty() || (words[0] != "--complete" && words[0] != "--completion")) return false;
    if (words[0] == "--completion") {
        print_script(app.get_name(), out);
        return true;
    }
    const std::string begun = words.size() > 1 ? words.back() : "";
    const auto verbs = app.get_subcommands([](const CLI::App*) { return true; });
    const auto named = std::find_if(verbs.begin(), verbs.end(), [&](const CLI::App* verb) {
        return words.size() > 2 && verb->get_name() == words[1];
    });
    const CLI::App* at = named == verbs.end() ? &app : *named;
    if (words.size() <= 2)
        for (const CLI::App* verb : verbs) print_if_it_begins_with(begun, verb->get_name(), out);
    if (begun.starts_with("-"))
        for (const CLI::Option* option : at->get_options())
            for (const std::string& name : option->get_lnames()) print_if_it_begins_with(begun, "--" + name, out);
    return true;
}

}  // namespace fiberscope::trace::tool
