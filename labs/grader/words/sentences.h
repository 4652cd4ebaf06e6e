// The sentences of a lab's tests: what a verdict says of a failed assertion, in the language of say(). They stand in
// files sentences.zh.txt, an English line each with its Chinese below, two columns in:
//
//     the ready queue is first in, first out
//       就绪队列先进先出
//     machine {0} has found nothing
//       机器 {0} 什么也没有找到
//     (backend by {0})
//       （后端是 {0}）
//
// "{0}", "{1}" … stand for what is filled in. One in brackets is no sentence, but says in which case another failed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace fiberscope::grader {

/// Reads such a file, beside those that were read before. None there: nothing is learned. Throws GraderError if a line
/// has no translation.
void learn_sentences(const std::filesystem::path& file);

/// A sentence of a test in the language of say(); as it is if none is learned that fits.
std::string sentence_in_words(std::string_view english);

/// What a failed assertion says: `message` is what labs/kit/testing/reporter.cpp sends. Of the notes that hold there,
/// the nearest sentence is said, for one around it may be about another assertion; and the cases, in brackets.
std::string failure_in_words(std::string_view message);

}  // namespace fiberscope::grader
