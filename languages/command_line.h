// A program's command line: verbs, options and files, with help and error messages.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "languages/spoken_error.h"

namespace fiberscope {

/// Parses all of `text`, the value of `option`, as a number from `least` to `most`. Throws SpokenError.
template <class Number>
Number number_in(std::string_view option, std::string_view text, Number least, Number most) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return number;
    throw SpokenError("{0} takes a number from {1} to {2}, not \"{3}\".", option, std::to_string(least),
                      std::to_string(most), text);
}

/// A program, or a verb of it. Objects that its functions take by reference must outlive it.
class CommandLine {
  public:
    using Take = std::function<void(const std::string& value)>;

    /// `call` is the program's name in the usage, `about` the first line of its help. Generated help is in `language`.
    CommandLine(std::string call, std::string about, Language language = Language::english);

    /// Declares an option with a value: "--at", which the help shows as "--at EVENT"; without `help` it is not listed.
    /// `take` may throw SpokenError.
    void option(std::string name, std::string value, std::string help, Take take);
    /// Declares an option whose value is a whole number; the help shows the default, unless it is 0.
    template <std::unsigned_integral Number>
    void number(const std::string& name, std::string help, Number& number, Number least = 0,
                Number most = std::numeric_limits<Number>::max()) {
        option(name, number == 0 ? "N" : "N=" + std::to_string(number), std::move(help),
               [=, &number](const std::string& text) { number = number_in(name, text, least, most); });
    }
    /// Declares an option without a value.
    void flag(std::string name, std::string help, bool& given);
    /// Declares that any number of files may be given.
    void files(std::string help, std::vector<std::string>& files);
    /// Declares a verb with its own options. The reference stays valid.
    CommandLine& verb(const std::string& name, std::string about);
    /// Sets what the help calls a verb, and the heading of their list.
    void call_verbs(std::string one, std::string heading);
    /// Sets the paragraph at the end of the help.
    void footer(std::string text) { footer_ = std::move(text); }

    /// Parses the arguments. Returns false if they request help; then no option takes effect. Throws SpokenError.
    bool read(std::span<const std::string> words);
    /// Returns the name of the verb that was read; empty if there was none.
    std::string verb_read() const { return chosen_ == nullptr ? "" : chosen_->name_; }
    /// Returns the usage of the program, with the verb that was read.
    std::string call() const { return chosen_ == nullptr ? call_ : chosen_->call_; }
    /// Returns whether this option of the program, or of the verb that was read, was given.
    bool given(std::string_view option) const;
    /// Returns the help for the verb that was read, or for the program if there was none.
    std::string help() const;

  private:
    struct Option {
        std::string name, value, help;
        Take take;
        bool given = false;
    };

    Option& find_option(std::string_view name);
    CommandLine* find_verb(std::string_view name);

    std::string call_, name_, about_, footer_, verb_word_, verbs_heading_, files_help_;
    Language language_;
    std::vector<Option> options_;
    std::vector<std::string>* files_ = nullptr;
    std::list<CommandLine> verbs_;
    CommandLine* chosen_ = nullptr;
};

}  // namespace fiberscope
