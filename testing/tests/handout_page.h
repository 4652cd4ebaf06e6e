// A page of Markdown as the test of languages reads it: what must be the same in every language, section by section.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace fiberscope::testing {

/// A fenced block. `language` is the word behind the fence, perhaps empty.
struct CodeBlock {
    std::string language;
    std::string text;
};

/// From one heading up to the next, whatever its level.
struct Section {
    std::size_t level = 0;  ///< 1 for the title
    std::string anchor;     ///< named by <a id="…"></a> before the heading, else formed from the heading
    std::vector<CodeBlock> blocks;
    std::vector<std::size_t> tables;         ///< the number of cells of each, its heading included
    std::size_t items = 0;                   ///< of lists, numbered or not
    std::multiset<std::string> inline_code;  ///< tables included
    std::multiset<std::string> targets;      ///< of links and pictures
};

/// The sections of a page, from its first heading on.
std::vector<Section> sections_of(const std::string& page);

/// The anchor that GitHub and most others form from a heading, without the number that a second one of the same name
/// gets.
std::string anchor_of(const std::string& heading);

/// What is in one of two pages and not in the other, a line each; empty if they say the same. They may differ in their
/// words, and in the text of pictures and of listings. Commands (`sh`, `console`) may not. What is quoted ("> …") is a
/// translation's own: there it says what the page leaves to the headers, which are in English (contracts_test.cpp).
std::string differences(const std::string& page, const std::string& translation);

}  // namespace fiberscope::testing
