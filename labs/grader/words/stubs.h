// What the stubs of a lab say that their functions shall do, in the language of say(). It stands in
// labs/kit/report/stubs.zh.txt, as labs/grader/words/sentences.h shows, without the name of the function:
//
//     knead, wait, bake
//       揉面，等待，烘烤
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace fiberscope::grader {

/// Reads such a file. None there: nothing is learned. Throws GraderError if a line has no translation.
void learn_stubs(const std::filesystem::path& file);

/// `what` is "function: what it shall do", perhaps with what was thrown before behind it. As it is if nothing is
/// learned that fits.
std::string stub_in_words(std::string_view what);

}  // namespace fiberscope::grader
