// Locates the handouts and sources of the labs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "traces/read/trace.h"
#include "viewer/layout/page/decision_card.h"

namespace fiberscope::viewer {

/// The tree of the labs: searched in the parents of the trace, of the working directory, and of this program; empty if
/// not found.
std::filesystem::path find_labs(const std::filesystem::path& trace);

/// A source file of a lab as used in a recording.
struct RanFile {
    std::string path;        ///< "labs/…/solution/….cpp", in the tree
    bool stands_in = false;  ///< the reference was used, but this tree has only the student's own file
};
/// `source` is "labs/…/exercise/….cpp". If the head says that a student's own files were used, returns that file for
/// the trace's lab, and for lower labs the reference's, if the tree has it.
RanFile file_that_ran(const std::filesystem::path& labs, const trace::Head& head, std::string_view source);

/// A part of a file.
struct Excerpt {
    std::filesystem::path file;
    std::vector<std::string> lines;
    std::size_t first = 1;   ///< number of the first line, from 1
    std::size_t marked = 0;  ///< number of the highlighted line; 0: none
    std::string error;       ///< why there is nothing, in one sentence
};
/// The file `source` of the tree. Highlights the line that begins with `line`, or the first line of its function that
/// contains `inside`.
Excerpt excerpt_of(const std::filesystem::path& labs, std::string_view source, std::string_view line,
                   std::string_view inside = {}, Language language = Language::english);
/// The section of a handout about a step, from the heading with its number to the next one of the same level.
Excerpt section_of(const std::filesystem::path& labs, std::string_view handout, std::string_view step,
                   Language language = Language::english);

/// Fills in the sources of a card: the file as used, the lines of its function, and which of them decided. If the file
/// is unavailable, as in the browser, uses the recorded facts of the reference.
void find_lines(CardFile& file, Language language = Language::english);

}  // namespace fiberscope::viewer
