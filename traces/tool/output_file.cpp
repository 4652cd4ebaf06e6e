#include "traces/tool/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "languages/spoken_error.h"
#include "traces/read/printable.h"

namespace fiberscope::trace::tool {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int error) {
    throw SpokenError("cannot write {0}: {1}.", printable(file.string()), Text(std::strerror(error), "errno"));
}

/// The file to replace; symbolic links are followed. A device, a pipe or a socket is refused, because renaming a file
/// over it would replace it for every program.
std::filesystem::path replaceable(const std::filesystem::path& file) {
    std::error_code ignored;
    const auto status = std::filesystem::status(file, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw SpokenError(std::filesystem::is_directory(status)
                              ? mark("cannot write {0}: it is a directory, name a file.")
                              : mark("cannot write {0}: it is a device or a pipe, name a file."),
                          printable(file.string()));
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(file, ignored))) return file;
    const auto target = std::filesystem::canonical(file, ignored);
    return target.empty() ? file : target;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path file)
    : file_(replaceable(file)), beside_(file_.string() + ".part-" + std::to_string(::getpid())) {
    errno = 0;
    stream_.open(beside_, std::ios::binary | std::ios::trunc);
    if (!stream_) fail(file_, errno);
}

OutputFile::~OutputFile() {
    std::error_code ignored;
    if (!committed_) std::filesystem::remove(beside_, ignored);
}

void OutputFile::commit() {
    errno = 0;
    stream_.close();
    if (!stream_) fail(file_, errno == 0 ? EIO : errno);
    std::error_code error;
    std::filesystem::rename(beside_, file_, error);
    if (error) fail(file_, error.value());
    committed_ = true;
}

}  // namespace fiberscope::trace::tool
