// Atomic replacement of a file: written to a temporary file beside it and then renamed.
#pragma once

#include <filesystem>
#include <fstream>

namespace fiberscope::trace::tool {

class OutputFile {
  public:
    /// Throws std::runtime_error, naming the file, if it cannot be written, or is a device, a pipe or a directory.
    explicit OutputFile(std::filesystem::path file);
    /// Removes the temporary file if commit() was not called.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    std::ostream& stream() noexcept { return stream_; }
    /// Renames the file into place. Throws std::runtime_error, naming the file.
    void commit();

  private:
    std::filesystem::path file_, beside_;
    std::ofstream stream_;
    bool committed_ = false;
};

}  // namespace fiberscope::trace::tool
