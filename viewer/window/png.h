// A picture in memory, and as a PNG file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace fiberscope::viewer {

/// Rows from the top, three bytes a pixel (red, green, blue).
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    const std::uint8_t* at(int x, int y) const noexcept {
        return rgb.data() +
               (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3;
    }
};

/// Writes beside `file` and renames, so that a picture is whole or not there; makes the directory if it is missing.
/// Throws std::runtime_error that names the file.
void write_png(const std::filesystem::path& file, const Picture& picture);

}  // namespace fiberscope::viewer
