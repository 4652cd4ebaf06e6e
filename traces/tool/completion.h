// Completion of a command line in bash, from what CLI11 knows of it.
#pragma once

#include <CLI/App.hpp>
#include <iosfwd>
#include <span>
#include <string>

namespace fiberscope::trace::tool {

/// Answers two requests, and says whether it was one of them. "--completion" prints what bash must read so that it
/// completes this program. "--complete WORD..." prints what the last of these words could become, one a line: verbs
/// and options. Where it prints nothing, bash completes file names.
bool complete(const CLI::App& app, std::span<const std::string> words, std::ostream& out);

}  // namespace fiberscope::trace::tool
