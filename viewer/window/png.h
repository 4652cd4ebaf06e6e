// A picture in memory, and as a PNG file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace fiberscope::viewer {

/// Rows from the top, three bytes per pixel (red, green, blue).
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    const std::uint8_t* at(int x, int y) const noexcept {
        return rgb.data() +
               (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3;
    }
};

/// Writes atomically (a temporary file, then rename); creates the directory if it is missing. Throws std::runtime_error
/// that names the file.
void write_png(const std::filesystem::path& file, const Picture& picture);

}  // namespace fiberscope::viewer
