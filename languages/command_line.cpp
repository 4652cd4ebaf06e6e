#include "languages/command_line.h"

#include <algorithm>
#include <utility>

namespace fiberscope {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;  // names and descriptions

std::size_t width_of(const Lines& lines) {
    std::size_t width = 0;
    for (const auto& [name, meaning] : lines) width = std::max(width, name.size());
    return width;
}

std::string section(const std::string& heading, const Lines& lines, std::size_t width) {
    std::string all = lines.empty() ? "" : "\n" + heading + "\n";
    for (const auto& [name, meaning] : lines)
        all += "  " + name + std::string(width + 2 - name.size(), ' ') + meaning + "\n";
    return all;
}

}  // namespace

CommandLine::CommandLine(std::string call, std::string about, Language language)
    : call_(std::move(call)), about_(std::move(about)), language_(language) {
    options_.push_back({"--help", "", say(language, "Print this and exit"), nullptr});
    call_verbs(say(language, "VERB"), say(language, "Verbs:"));
}

void CommandLine::option(std::string name, std::string value, std::string help, Take take) {
    options_.push_back({std::move(name), std::move(value), std::move(help), std::move(take)});
}

void CommandLine::flag(std::string name, std::string help, bool& given) {
    option(std::move(name), "", std::move(help), [&given](const std::string&) { given = true; });
}

void CommandLine::files(std::string help, std::vector<std::string>& files) {
    files_help_ = std::move(help);
    files_ = &files;
}

CommandLine& CommandLine::verb(const std::string& name, std::string about) {
    CommandLine& verb = verbs_.emplace_back(call_ + " " + name, std::move(about), language_);
    verb.name_ = name;
    return verb;
}

void CommandLine::call_verbs(std::string one, std::string heading) {
    verb_word_ = std::move(one);
    verbs_heading_ = std::move(heading);
}

CommandLine::Option& CommandLine::find_option(std::string_view name) {
    const std::string_view wanted = name == "-h" ? "--help" : name;
    const auto found =
        std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.name == wanted; });
    if (found == options_.end()) throw SpokenError("unknown option {0}.", name);
    return *found;
}

CommandLine* CommandLine::find_verb(std::string_view name) {
    // Not std::ranges, which emscripten's library in Debian 12 lacks.
    const auto found =
        std::find_if(verbs_.begin(), verbs_.end(), [&](const CommandLine& v) { return v.name_ == name; });
    return found == verbs_.end() ? nullptr : &*found;
}

bool CommandLine::read(std::span<const std::string> words) {
    std::vector<std::pair<const Option*, std::string>> values;
    bool only_files = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (!only_files && word.size() > 1 && word.starts_with('-')) {
            if (only_files = word == "--"; only_files) continue;
            const std::size_t equals = word.find('=');
            Option& option = find_option(word.substr(0, equals));
            std::string value = equals == word.npos ? "" : word.substr(equals + 1);
            if (option.value.empty() && equals != word.npos) throw SpokenError("unexpected argument \"{0}\".", value);
            if (!option.value.empty()) {
                if (option.given) throw SpokenError("{0} is given twice.", option.name);
                if (equals == word.npos && ++i == words.size()) throw SpokenError("{0} needs a value.", option.name);
                if (equals == word.npos) value = words[i];
            }
            option.given = true;
            values.emplace_back(&option, std::move(value));
        } else if (files_ != nullptr) {
            files_->push_back(word);
        } else if (chosen_ = find_verb(word); chosen_ != nullptr) {
            if (!chosen_->read(words.subspan(i + 1))) return false;
            break;
        } else {
            throw SpokenError(verbs_.empty() ? mark("unexpected argument \"{0}\".") : mark("unknown verb \"{0}\"."),
                              word);
        }
    }
    if (find_option("--help").given) return false;
    for (const auto& [option, value] : values) option->take(value);
    return true;
}

bool CommandLine::given(std::string_view option) const {
    const auto is_it = [&](const Option& one) { return one.name == option && one.given; };
    return std::any_of(options_.begin(), options_.end(), is_it) || (chosen_ != nullptr && chosen_->given(option));
}

std::string CommandLine::help() const {
    if (chosen_ != nullptr) return chosen_->help();
    std::string usage = say(language_, "Usage: {0} [OPTIONS]", call_);
    if (!verbs_.empty()) usage = say(language_, "Usage: {0} [OPTIONS] [{1}]", call_, verb_word_);
    Lines files, options, verbs;
    if (files_ != nullptr) {
        usage += " [FILE...]";
        files.emplace_back("FILE...", files_help_);
    }
    for (const Option& option : options_)
        if (!option.help.empty())
            options.emplace_back((option.name == "--help" ? "-h,--help" : option.name) +
                                     (option.value.empty() ? "" : " " + option.value),
                                 option.help);
    for (const CommandLine& verb : verbs_) verbs.emplace_back(verb.name_, verb.about_);
    const std::size_t width = std::max({width_of(files), width_of(options), width_of(verbs)});
    return about_ + "\n" + usage + "\n" + section(say(language_, "Files:"), files, width) +
           section(say(language_, "Options:"), options, width) + section(verbs_heading_, verbs, width) +
           (footer_.empty() ? "" : "\n" + footer_ + "\n");
}

}  // namespace fiberscope
