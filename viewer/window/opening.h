// The initial state of a window: its fonts, its files, and their positions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/options.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {

/// The style requested by `options`, with fonts that contain the characters of `texts`; `display` is the text scale of
/// the display. Called before the first frame.
Style style_for(const Options& options, float display = 1, std::string_view texts = {});

/// All texts of the documents, to load the glyphs of the fonts.
std::string texts_of(const std::vector<std::unique_ptr<Document>>& documents);

/// Opens the files named by `options` with the requested playhead and selection. Throws UsageError if the first file
/// does not have these.
std::vector<std::unique_ptr<Document>> open_documents(const Options& options);
/// Starts to open them in the background (Loading).
std::vector<std::unique_ptr<Document>> begin_documents(const Options& options);
/// Sets the playhead and the selection of a file as requested by `options`. Throws UsageError.
void put_places(const Options& options, Document& document);

/// Configures the workspace as requested by the options.
void set_up(Workspace& workspace, const Options& options);

}  // namespace fiberscope::viewer
