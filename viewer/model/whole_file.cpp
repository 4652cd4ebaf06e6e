#include "viewer/model/whole_file.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace fiberscope::viewer {

bool write_whole(const std::filesystem::path& file, std::string_view text) {
    std::error_code error;
    std::filesystem::path real = std::filesystem::weakly_canonical(file, error);
    if (error || real.empty()) real = file;
    const std::filesystem::path beside = real.string() + "." + std::to_string(getpid()) + ".part";
    std::ofstream out(beside, std::ios::binary);
    out << text;
    out.close();
    if (out) std::filesystem::rename(beside, real, error);
    if (out && !error) return true;
    std::filesystem::remove(beside, error);
    return false;
}

}  // namespace fiberscope::viewer
