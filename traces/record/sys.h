// System calls of the recorder, made directly: a lab that replaces read, write or sleep by ones that yield must not
// catch the recorder's own.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fiberscope::trace::detail::sys {

/// Opens for appending, made if it is missing, else as it is; closed on exec, at a descriptor number out of the
/// program's way. -1 and errno on error.
int open_for_appending(const char* path) noexcept;
/// Makes this the only open file that has the file locked (F_OFD_SETLK), until it is closed: so a reader sees that it
/// is being recorded. False and errno if it cannot be; EWOULDBLOCK if another one has it.
bool lock(int fd) noexcept;
bool is_regular(int fd) noexcept;
/// Writes all of it; false and errno on error, with any part of it written.
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
