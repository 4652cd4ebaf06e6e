#include "traces/tool/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace fiberscope::trace::tool {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, int error) {
    throw std::runtime_error("cannot write " + file.string() + ": " + std::generic_category().message(error) + ".");
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path file)
    : file_(std::move(file)), beside_(file_.string() + ".part-" + std::to_string(::getpid())) {
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
