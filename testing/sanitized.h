// Adapts tests to sanitizers, under which every step costs ten times as much and frames are larger.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FIBERSCOPE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FIBERSCOPE_SANITIZED 1
#endif
#endif

namespace fiberscope::testing {

/// Stride of a loop over many cases: 1, or 3 under a sanitizer.
#ifdef FIBERSCOPE_SANITIZED
inline constexpr unsigned kStride = 3;
#else
inline constexpr unsigned kStride = 1;
#endif
/// `usual` rounds, or a third of them under a sanitizer.
constexpr int rounds(int usual) noexcept { return (usual + int{kStride} - 1) / int{kStride}; }

}  // namespace fiberscope::testing
