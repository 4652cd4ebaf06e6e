#include "viewer/window/png.h"

#include <cstdlib>
#include <memory>
#include <string>

#include "languages/spoken_error.h"
#include "viewer/model/whole_file.h"

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
        throw SpokenError(mark("{0} is not a regular file; a picture cannot replace a directory, a device or a pipe."),
                          file.string());
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
    int length = 0;
    const std::unique_ptr<unsigned char, decltype(&std::free)> bytes(
        stbi_write_png_to_mem(picture.rgb.data(), picture.width * 3, picture.width, picture.height, 3, &length),
        &std::free);
    if (bytes && write_whole(file, {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(length)}))
        return;
    throw SpokenError(mark("cannot write the picture {0}; check that the directory is writable."), file.string());
}

}  // namespace fiberscope::viewer
