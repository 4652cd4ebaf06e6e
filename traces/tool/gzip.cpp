#include "traces/tool/gzip.h"

#include <ostream>
#include <stdexcept>

// A computer without zlib, and the build for aarch64, have all else of this program.
#ifdef FIBERSCOPE_ZLIB
#include <zlib.h>

#include <new>
#include <streambuf>
#include <string_view>
#include <vector>

namespace fiberscope::trace::tool {
namespace {

class Gzip : public std::streambuf {
  public:
    explicit Gzip(std::ostream& to) : to_(to), in_(1 << 16), out_(1 << 16) {
        constexpr int kGzip = 15 + 16;  // the largest window, and the head and the end of gzip
        // The fastest level: what is repeated here is found by it, and the next ones take longer than the writing.
        if (deflateInit2(&zip_, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
        setp(in_.data(), in_.data() + in_.size());
    }
    ~Gzip() override { deflateEnd(&zip_); }
    void finish() { write(Z_FINISH); }

  protected:
    int_type overflow(int_type next) override {
        write(Z_NO_FLUSH);
        return next == traits_type::eof() ? traits_type::not_eof(next) : sputc(static_cast<char>(next));
    }

  private:
    void write(int flush) {
        zip_.next_in = reinterpret_cast<Bytef*>(pbase());
        zip_.avail_in = static_cast<uInt>(pptr() - pbase());
        do {
            zip_.next_out = reinterpret_cast<Bytef*>(out_.data());
            zip_.avail_out = static_cast<uInt>(out_.size());
            deflate(&zip_, flush);
            to_.write(out_.data(), static_cast<std::streamsize>(out_.size() - zip_.avail_out));
        } while (zip_.avail_out == 0);
        setp(in_.data(), in_.data() + in_.size());
    }

    std::ostream& to_;
    z_stream zip_{};
    std::vector<char> in_, out_;
};

}  // namespace

bool can_compress() noexcept { return true; }

void write_gzip(std::ostream& to, const std::function<void(std::ostream&)>& write) {
    Gzip zipped(to);
    std::ostream in(&zipped);
    write(in);
    zipped.finish();
}

}  // namespace fiberscope::trace::tool
#else
namespace fiberscope::trace::tool {

bool can_compress() noexcept { return false; }
void write_gzip(std::ostream&, const std::function<void(std::ostream&)>&) {
    throw std::logic_error("built without zlib");
}

}  // namespace fiberscope::trace::tool
#endif
