// Lines that a lab's programs print to a person, in the language of say().
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace fiberscope::grader {

/// The program that prints: the demos of a lab, or another of its programs.
struct Speaker {
    std::string lab;                ///< "01"
    std::string demo;               ///< the one that is asked for; empty: none, or it is not known
    bool shows_demo_first = false;  ///< its help is asked for, and that begins with what the demo shows
};

/// "01_nested", and what it shows.
using Demos = std::map<std::string, std::string, std::less<>>;

/// What the demos show, from a file with a line for each (tools/words/demos.zh.txt). Empty if there is none.
Demos read_demos(const std::filesystem::path& file);

/// Puts the lines of one program into the language of say(), one after the other. What is not known stands as it is.
class Lines {
  public:
    Lines(Speaker speaker, Demos demos) : speaker_(std::move(speaker)), demos_(std::move(demos)) {}

    /// `line` without its end.
    std::string in_words(std::string_view line);

  private:
    std::string about_demo(std::string_view name) const;
    std::string column_in_words(std::string_view line) const;

    Speaker speaker_;
    Demos demos_;
    bool is_first_ = true;
};

}  // namespace fiberscope::grader
