// How often a test repeats itself where every step costs ten times as much.
#pragma once

namespace fiberscope::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSlow = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSlow = true;
#else
inline constexpr bool kSlow = false;
#endif
#else
inline constexpr bool kSlow = false;
#endif

/// Every one of so many, or under a sanitizer every third.
inline constexpr unsigned kStride = kSlow ? 3 : 1;
/// `usual` rounds, or under a sanitizer a third of them.
constexpr int rounds(int usual) noexcept { return (usual + int{kStride} - 1) / int{kStride}; }

}  // namespace fiberscope::testing
