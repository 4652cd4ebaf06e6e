// A text table whose columns are as wide as their widest cell.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace fiberscope::trace::tool {

class Table {
  public:
    /// `left`: the left-aligned column; the others, which hold numbers, are right-aligned.
    explicit Table(std::size_t left) : left_(left) {}

    std::vector<std::string>& add(std::vector<std::string> row) { return rows_.emplace_back(std::move(row)); }
    /// The display width; a Chinese character takes two columns.
    static std::size_t columns(const std::string& text) {
        std::size_t all = 0;
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            all += (byte & 0xC0U) == 0x80U ? 0 : byte >= 0xE3 && byte < 0xF0 ? 2 : 1;
        }
        return all;
    }
    void print(std::ostream& out) const {
        const std::vector<std::size_t> widths = widths_of_columns();
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t c = 0; c < row.size(); ++c) {
                const std::string padding(widths[c] - columns(row[c]), ' ');
                line += (c == 0 ? "" : "  ") + (c == left_ ? row[c] + padding : padding + row[c]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        }
    }

  private:
    std::vector<std::size_t> widths_of_columns() const {
        std::vector<std::size_t> widths;
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()), 0);
            for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns(row[c]));
        }
        return widths;
    }

    std::size_t left_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace fiberscope::trace::tool
