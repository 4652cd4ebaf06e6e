#include "viewer/window/png.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <unistd.h>

#include "languages/spoken_error.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace fiberscope::viewer {

void write_png(const std::filesystem::path& file, const Picture& picture) {
    std::error_code error;
    if (const auto status = std::filesystem::status(file, error);
        std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw SpokenError(mark("{0}: a picture takes the place of a file only, not of a folder, a device or a pipe."),
                          file.string());
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
    int length = 0;
    const std::unique_ptr<unsigned char, decltype(&std::free)> bytes(
        stbi_write_png_to_mem(picture.rgb.data(), picture.width * 3, picture.width, picture.height, 3, &length),
        &std::free);
    const std::string beside = file.string() + "." + std::to_string(getpid()) + ".part";
    std::FILE* out = bytes ? std::fopen(beside.c_str(), "wb") : nullptr;
    bool good = out != nullptr;
    if (out != nullptr) {
        good = std::fwrite(bytes.get(), 1, static_cast<std::size_t>(length), out) == static_cast<std::size_t>(length);
        good = std::fclose(out) == 0 && good;
    }
    if (good) {
        std::filesystem::rename(beside, file, error);
        good = !error;
    }
    if (good) return;
    std::filesystem::remove(beside, error);
    throw SpokenError(mark("{0}: the picture cannot be written; check that the directory is writable."), file.string());
}

}  // namespace fiberscope::viewer
