// Finds the handouts and the sources of the labs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "traces/read/trace.h"
#include "viewer/layout/page/decision_card.h"

namespace fiberscope::viewer {

/// The tree of the labs: above the trace, above the working directory, or above this program; empty if it is nowhere.
std::filesystem::path find_labs(const std::filesystem::path& trace);

/// A file of a lab as it ran in a recording.
struct RanFile {
    std::string path;        ///< "labs/…/solution/….cpp", in the tree
    bool stands_in = false;  ///< the reference ran, and this tree has only the student's own file
};
/// `source` is "labs/…/exercise/….cpp". If the head says that a student's own files ran, that is the file for the lab
/// of the trace; for the labs below it is the reference's, if the tree has one.
RanFile file_that_ran(const std::filesystem::path& labs, const trace::Head& head, std::string_view source);

/// A part of a file.
struct Excerpt {
    std::filesystem::path file;
    std::vector<std::string> lines;
    std::size_t first = 1;   ///< number of the first line, from 1
    std::size_t marked = 0;  ///< number of the line that is meant; 0: none
    std::string error;       ///< why there is nothing, in one sentence
};
/// The file `source` of the tree; the line that begins with `line` is marked, or within its function the first that
/// contains `inside`.
Excerpt excerpt_of(const std::filesystem::path& labs, std::string_view source, std::string_view line,
                   std::string_view inside = {}, Language language = Language::english);
/// The section of a handout about a step, from the heading with its number to the next one of its level.
Excerpt section_of(const std::filesystem::path& labs, std::string_view handout, std::string_view step,
                   Language language = Language::english);

/// Of what decided in a card: the file as it ran, the lines of its function, and which of them chose. Without the file,
/// as in a page, what is known of the reference.
void find_lines(CardFile& file, Language language = Language::english);

}  // namespace fiberscope::viewer
