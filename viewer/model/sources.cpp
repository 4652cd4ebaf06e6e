#include "viewer/model/sources.h"

#include <algorithm>
#include <fstream>

namespace fiberscope::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSourcesMostLines = 4000;

fs::path tree_above(fs::path place) {
    std::error_code error;
    for (place = fs::absolute(place, error); !error && !place.empty(); place = place.parent_path()) {
        if (fs::exists(place / "lab", error) && fs::is_directory(place / "labs", error)) return place;
        if (place == place.parent_path()) break;
    }
    return {};
}

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; lines.size() < kSourcesMostLines && std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// Whether a line contains exactly this step number: "4.1" is not in "4.12".
bool has_number(std::string_view line, std::string_view number) {
    const auto is_digit = [&](std::size_t at) { return at < line.size() && line[at] >= '0' && line[at] <= '9'; };
    const std::size_t at = line.find(number);
    return !number.empty() && at != line.npos && !is_digit(at + number.size()) && (at == 0 || !is_digit(at - 1));
}

Excerpt read(const fs::path& labs, std::string_view path, Language language) {
    Excerpt out;
    if (labs.empty()) {
        out.error =
            say(language,
                "{0} not found: the directory of the labs contains neither the trace nor the working directory.", path);
        return out;
    }
    out.file = labs / std::string(path);
    out.lines = lines_of(out.file);
    if (out.lines.empty()) out.error = say(language, "{0} is empty or cannot be read.", out.file.string());
    return out;
}

std::size_t level_of(std::string_view line) noexcept {
    const auto level = line.find_first_not_of('#');
    return level == std::string_view::npos || level == 0 || line[level] != ' ' ? 0 : level;
}

/// Number of the last line of the function that begins in line `n`, from 1; 0 if there is none.
std::size_t end_of_function(const std::vector<std::string>& lines, std::size_t n) {
    for (std::size_t end = n; end > 0 && end <= lines.size(); ++end)
        if (lines[end - 1] == "}" || (end == n && lines[end - 1].ends_with('}'))) return end;
    return n == 0 ? 0 : lines.size();
}

}  // namespace

fs::path find_labs(const fs::path& trace) {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    for (const fs::path& place : {trace.parent_path(), fs::current_path(error), self.parent_path()})
        if (const fs::path tree = tree_above(place); !tree.empty()) return tree;
    return {};
}

RanFile file_that_ran(const fs::path& labs, const trace::Head& head, std::string_view source) {
    constexpr std::string_view kOwn = "/exercise/";
    const auto at = source.find(kOwn);
    RanFile own{std::string(source)};
    const std::string lab = "labs/" + std::string(head.lab.bytes()) + "/";
    if (at == std::string_view::npos || (head.files == "exercise" && source.starts_with(lab))) return own;
    RanFile reference{std::string(source.substr(0, at)) + "/solution/" + std::string(source.substr(at + kOwn.size()))};
    std::error_code error;
    if (fs::exists(labs / reference.path, error)) return reference;
    own.stands_in = head.files != "exercise";
    return own;
}

Excerpt excerpt_of(const fs::path& labs, std::string_view source, std::string_view line, std::string_view inside,
                   Language language) {
    Excerpt out = read(labs, source, language);
    for (std::size_t i = 0; !line.empty() && out.marked == 0 && i < out.lines.size(); ++i)
        if (out.lines[i].starts_with(line)) out.marked = i + 1;
    const std::size_t end = end_of_function(out.lines, out.marked);
    for (std::size_t n = out.marked; !inside.empty() && n > 0 && n <= end; ++n)
        if (out.lines[n - 1].find(inside) != std::string::npos) {
            out.marked = n;
            break;
        }
    return out;
}

Excerpt section_of(const fs::path& labs, std::string_view handout, std::string_view step, Language language) {
    Excerpt out = read(labs, handout, language);
    if (!out.error.empty()) return out;
    std::size_t begin = 0, level = 0;
    for (; begin < out.lines.size() && level == 0; ++begin)
        if (const std::size_t its = level_of(out.lines[begin]); its != 0 && has_number(out.lines[begin], step))
            level = its;
    if (level == 0) {
        out.error = say(language, "{0} has no section about step {1}.", out.file.string(), step);
        return out;
    }
    std::size_t end = begin--;
    bool code = false;  // a # in code does not start a heading
    for (; end < out.lines.size(); ++end) {
        code = code != out.lines[end].starts_with("```");
        const std::size_t its = code ? 0 : level_of(out.lines[end]);
        if (its != 0 && its <= level) break;
    }
    out.lines = {out.lines.begin() + static_cast<std::ptrdiff_t>(begin),
                 out.lines.begin() + static_cast<std::ptrdiff_t>(end)};
    out.first = out.marked = begin + 1;
    return out;
}

void find_lines(CardFile& file, Language language) {
    if (!file.facts.chose) return;
    const Mechanism& where = *file.facts.chose;
    const std::string& inside = where.inside;
    const fs::path labs = find_labs(file.trace->file);
    const RanFile ran = file_that_ran(labs, file.trace->head, where.source);
    const Excerpt source = excerpt_of(labs, ran.path, where.line, {}, language);
    file.source = ran.path;
    if (!source.error.empty()) {
        if (file.trace->head.files == "exercise") return;
        file.lines.push_back({0, where.line + "…", false});
        if (!inside.empty()) file.lines.push_back({0, "    … " + inside + " …", true});
        return;
    }
    for (std::size_t n = source.marked; n > 0 && n <= end_of_function(source.lines, source.marked); ++n) {
        const std::string& text = source.lines[n - 1];
        const bool its = !ran.stands_in && !inside.empty() && text.find(inside) != std::string::npos;
        if (!text.empty()) file.lines.push_back({n, text, its});
    }
}

}  // namespace fiberscope::viewer
