// A table of words whose columns are as wide as their widest cell.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace fiberscope::trace::tool {

class Table {
  public:
    /// `left`: the column whose words are aligned left; numbers are aligned right.
    explicit Table(std::size_t left) : left_(left) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print(std::ostream& out) const {
        const std::vector<std::size_t> widths = widths_of_columns();
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t c = 0; c < row.size(); ++c) {
                const std::string padding(widths[c] - letters(row[c]), ' ');
                line += (c == 0 ? "" : "  ") + (c == left_ ? row[c] + padding : padding + row[c]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        }
    }

  private:
    static std::size_t letters(const std::string& text) {
        return static_cast<std::size_t>(std::count_if(
            text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    }
    std::vector<std::size_t> widths_of_columns() const {
        std::vector<std::size_t> widths;
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()), 0);
            for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], letters(row[c]));
        }
        return widths;
    }

    std::size_t left_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace fiberscope::trace::tool
