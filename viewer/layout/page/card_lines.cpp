#include "viewer/layout/page/card_lines.h"

#include <algorithm>

#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {

std::vector<std::size_t> lines_in_card(const CardFile& file, std::size_t most) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < file.lines.size(); ++i)
        if (most == file.lines.size() || file.lines[i].text.find_first_not_of(" }") != std::string::npos)
            all.push_back(i);
    const auto its = std::find_if(all.begin(), all.end(), [&](std::size_t i) { return file.lines[i].chose; });
    const auto first = static_cast<std::size_t>(its - all.begin());
    if (most == 1) return {its == all.end() ? 0 : *its};
    const std::size_t room = std::min(most, all.size()) - 1;
    std::size_t begin = its == all.end() || first <= room ? 1 : first - std::min(first - 1, room / 2);
    begin = std::min(begin, all.size() - room);
    std::vector<std::size_t> shown{all[0]};
    for (std::size_t i = 0; i < room; ++i) shown.push_back(all[begin + i]);
    return shown;
}

std::string fitting_code(const Metrics& metrics, float room, const SourceLine& line, std::string_view what) {
    std::string_view text = line.text;
    if (metrics.width(text) <= room) return line.text;
    std::string before;
    if (line.chose && metrics.width(text.substr(0, text.find(what) + what.size())) > room) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        for (std::size_t next = 0; metrics.width(text) + metrics.width("… ") > room && next < text.find(what);) {
            next = text.find(' ') + 1;
            if (next == 0 || next > text.find(what)) break;
            text.remove_prefix(next);
            before = "… ";
        }
    }
    return before + fitting_beginning(metrics, room - metrics.width(before), text);
}

}  // namespace fiberscope::viewer
