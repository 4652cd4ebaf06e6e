// Labs that are made of broken tests, and what the grader says of them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fiberscope::grader::testing {

struct Answer {
    int status;
    std::string text;
};

Answer run(const std::string& command);
void write(const std::filesystem::path& file, const std::string& text);
std::string read(const std::filesystem::path& file);

/// A lab of its own under SCRATCH whose test program lists and runs some of the broken tests.
class Lab {
  public:
    explicit Lab(const std::string& name);

    /// Gives the lab steps with these numbers.
    Lab& steps(const std::vector<std::string>& numbers);
    Lab& described(const nlohmann::ordered_json& list);
    /// Makes a test program of those broken tests whose names match the pattern (of grep -E).
    Lab& tests(const std::string& pattern);
    /// Makes a test program that lists what `listing`, a script, prints; each of these fails.
    Lab& program(const std::string& listing);
    void script(const std::string& name, const std::string& pattern) const;
    Answer grade(const std::string& mode, const std::string& options = "") const;
    std::filesystem::path dir() const { return dir_; }

  private:
    std::filesystem::path dir_;
};

/// Compares with golden/NAME.txt, without what differs from machine to machine. After a wanted change of words run the
/// tests with FIBERSCOPE_UPDATE_GOLDENS=1 and read the difference.
void compare_with_golden(const std::string& name, const std::string& text);

}  // namespace fiberscope::grader::testing
