// System calls of the recorder, made directly: a lab that replaces read, write or sleep by yielding versions must not
// intercept the recorder's own calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fiberscope::trace::detail::sys {

/// Opens or creates a file for appending, close-on-exec, at a high descriptor number that the program is unlikely to
/// use. Returns -1 and sets errno on error.
int open_for_appending(const char* path) noexcept;
/// Locks the file exclusively for this open file description (F_OFD_SETLK) until it is closed, so that readers can see
/// that it is being recorded. Returns false and sets errno on error; EWOULDBLOCK if another recorder has it.
bool lock(int fd) noexcept;
bool is_regular(int fd) noexcept;
/// The file's number in its file system; 0 on error.
std::uint64_t inode(int fd) noexcept;
/// Writes all of it. Returns false and sets errno on error, possibly after a partial write.
bool write_all(int fd, const char* bytes, std::size_t size) noexcept;
/// Bytes in the file; -1 on error.
std::int64_t size(int fd) noexcept;
bool truncate(int fd, std::uint64_t size) noexcept;
void close(int fd) noexcept;
void sleep_ns(long ns) noexcept;
std::uint32_t thread_id() noexcept;
/// Whether the page that holds `address` is mapped.
bool is_mapped(std::uintptr_t address) noexcept;

}  // namespace fiberscope::trace::detail::sys
