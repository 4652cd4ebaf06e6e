// What a window begins with: its fonts, its files, and where they stand.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/options.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {

/// The style that `options` ask for, with fonts that have the characters of `texts` loaded; `display`: how much larger
/// than usual the display wants its text. Before the first frame.
Style style_for(const Options& options, float display = 1, std::string_view texts = {});

/// All words of the documents, for the fonts.
std::string texts_of(const std::vector<std::unique_ptr<Document>>& documents);

/// Opens the files that `options` name, with the playhead and the choice that they ask for. Throws UsageError if the
/// first file does not have these.
std::vector<std::unique_ptr<Document>> open_documents(const Options& options);
/// Begins to open them while the window goes on (Loading).
std::vector<std::unique_ptr<Document>> begin_documents(const Options& options);
/// Puts the playhead and the choice of a file that has been read where `options` ask for. Throws UsageError.
void put_places(const Options& options, Document& document);

/// Puts the workspace as the options want it.
void set_up(Workspace& workspace, const Options& options);

}  // namespace fiberscope::viewer
