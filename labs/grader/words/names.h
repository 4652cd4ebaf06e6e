// The names of tests. One types them in English; to a student who reads Chinese they are told as
// labs/*/names.zh.txt has them, which is written as sentences.zh.txt is, without the number of the step:
//
//     yield outside a coroutine is a typed error
//       在协程之外让出是有类型的错误
//     by asm:
//       用 asm：
//
// One that ends with a colon begins the names of tests that are made of others ("3.4 by asm: yield outside …").
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace fiberscope::grader {

/// Reads such a file, beside those that were read before. None there: nothing is learned. Throws GraderError if a line
/// has no translation.
void learn_names(const std::filesystem::path& file);

/// The name of a test in the language of say(); as it is if none is learned.
std::string name_in_words(std::string_view name);

}  // namespace fiberscope::grader
