#include "testing/tests/handout_page.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
#include <sstream>

namespace fiberscope::testing {

namespace {

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
    std::vector<std::string> found;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) found.push_back((*it)[1]);
    return found;
}

/// A link to a page in the other language is a link to the page.
std::string without_language(const std::string& target) {
    return std::regex_replace(target, std::regex("\\.zh\\.md"), ".md");
}

class Reader {
  public:
    std::vector<Section> read(const std::string& page) {
        std::istringstream lines(page);
        for (std::string line; std::getline(lines, line);) take(line);
        end_text();
        return std::move(sections_);
    }

  private:
    void take(const std::string& line) {
        const std::size_t at = line.find_first_not_of(' ');  // a block within a list is indented
        if (at != line.npos && line.compare(at, 3, "```") == 0)
            fence(line.substr(at + 3));
        else if (in_block_)
            sections_.back().blocks.back().text += line + "\n";
        else if (line.starts_with('#'))
            heading(line);
        else
            prose(line);
    }

    void fence(const std::string& language) {
        if (!in_block_ && !sections_.empty()) sections_.back().blocks.push_back({language, ""});
        in_block_ = !in_block_ && !sections_.empty();
        in_table_ = false;
    }

    void heading(const std::string& line) {
        end_text();
        Section section;
        section.level = line.find_first_not_of('#');
        section.anchor = named_.empty() ? anchor_of(line) : named_;
        sections_.push_back(std::move(section));
        named_.clear();
    }

    void prose(const std::string& line) {
        static const std::regex kNamed("^<a id=\"([^\"]+)\"></a>$");
        std::smatch named;
        if (std::regex_match(line, named, kNamed)) named_ = named[1];
        if (sections_.empty() || line.starts_with('>')) return;
        text_ += line + "\n";
        row(line);
        static const std::regex kItem("^ *([-*]|[0-9]+\\.) .*");
        if (std::regex_match(line, kItem)) ++sections_.back().items;
    }

    void row(const std::string& line) {
        const bool is_row = line.starts_with('|');
        if (is_row && !in_table_) sections_.back().tables.push_back(0);
        if (is_row)
            sections_.back().tables.back() += static_cast<std::size_t>(std::count(line.begin(), line.end(), '|')) - 1;
        in_table_ = is_row;
    }

    void end_text() {
        if (sections_.empty()) return;
        // In a paragraph a line may end within a piece of code.
        const std::string joined = std::regex_replace(text_, std::regex("\n *"), " ");
        for (const std::string& code : matches(joined, std::regex("`([^`]+)`")))
            sections_.back().inline_code.insert(code);
        for (const std::string& target : matches(joined, std::regex("\\]\\(([^)\\s]+)[^)]*\\)")))
            if (target != "README.md" && target != "README.zh.md")
                sections_.back().targets.insert(without_language(target));
        text_.clear();
    }

    std::vector<Section> sections_;
    std::string named_;
    std::string text_;
    bool in_block_ = false;
    bool in_table_ = false;
};

using Words = std::multiset<std::string>;

std::string missing(const Words& from, const Words& in, const std::string& where) {
    std::vector<std::string> left;
    std::set_difference(from.begin(), from.end(), in.begin(), in.end(), std::back_inserter(left));
    std::string told;
    for (const std::string& one : left) told += where + one + "\n";
    return told;
}

std::string differ(const Words& page, const Words& translation, const std::string& what) {
    return missing(page, translation, what + " is missing: ") + missing(translation, page, what + " is new: ");
}

bool is_command(const CodeBlock& block) { return block.language == "sh" || block.language == "console"; }

Words blocks_of(const Section& section) {
    Words all;
    for (const CodeBlock& block : section.blocks)
        all.insert(block.language + (is_command(block) ? "\n" + block.text : ""));
    return all;
}

std::string differences_within(const Section& page, const Section& translation) {
    const std::string at = "#" + page.anchor + ": ";
    std::string found = differ(blocks_of(page), blocks_of(translation), at + "block");
    found += differ(page.inline_code, translation.inline_code, at + "code");
    found += differ(page.targets, translation.targets, at + "link");
    if (page.tables != translation.tables) found += at + "the tables have other rows or columns\n";
    if (page.items != translation.items)
        found += at + "the lists have " + std::to_string(translation.items) + " items in place of " +
                 std::to_string(page.items) + "\n";
    return found;
}

Words anchors_of(const std::vector<Section>& sections) {
    Words all;
    for (const Section& section : sections) all.insert(std::string(section.level, '#') + " " + section.anchor);
    return all;
}

}  // namespace

std::string anchor_of(const std::string& heading) {
    std::string anchor;
    for (const char c : heading.substr(std::min(heading.find_first_not_of("# "), heading.size()))) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || byte >= 0x80 || c == '_' || c == '-')
            anchor += static_cast<char>(byte < 0x80 ? std::tolower(byte) : byte);
        else if (c == ' ')
            anchor += '-';
    }
    return anchor;
}

std::vector<Section> sections_of(const std::string& page) { return Reader().read(page); }

std::string differences(const std::string& page, const std::string& translation) {
    const std::vector<Section> left = sections_of(page), right = sections_of(translation);
    std::string found = differ(anchors_of(left), anchors_of(right), "heading");
    if (!found.empty()) return found;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i].anchor != right[i].anchor)
            return "heading #" + right[i].anchor + " stands where #" + left[i].anchor + " should\n";
        found += differences_within(left[i], right[i]);
    }
    return found;
}

}  // namespace fiberscope::testing
