// Annotations for clang's thread safety analysis (-Wthread-safety, an error in builds by clang), which checks at
// compile time that a lock is held where required. Empty for other compilers. KIT_UNCHECKED marks code that the
// analysis cannot follow, with the reason.
#pragma once

#ifdef __clang__
#define FIBERSCOPE_MARK(...) __attribute__((__VA_ARGS__))
#else
#define FIBERSCOPE_MARK(...)
#endif

/// A class that is a lock; a class that holds a lock from its constructor to its destructor.
#define KIT_CAPABILITY(name) FIBERSCOPE_MARK(capability(name))
#define KIT_SCOPED_CAPABILITY FIBERSCOPE_MARK(scoped_lockable)
/// A function that requires the lock; that must be called without it; that acquires it; that tries to; that releases
/// it.
#define KIT_REQUIRES(...) FIBERSCOPE_MARK(requires_capability(__VA_ARGS__))
#define KIT_EXCLUDES(...) FIBERSCOPE_MARK(locks_excluded(__VA_ARGS__))
#define KIT_ACQUIRE(...) FIBERSCOPE_MARK(acquire_capability(__VA_ARGS__))
#define KIT_TRY_ACQUIRE(...) FIBERSCOPE_MARK(try_acquire_capability(__VA_ARGS__))
#define KIT_RELEASE(...) FIBERSCOPE_MARK(release_capability(__VA_ARGS__))
/// A function that returns this lock.
#define KIT_RETURN_CAPABILITY(...) FIBERSCOPE_MARK(lock_returned(__VA_ARGS__))
/// Data that is accessed only with the lock held.
#define KIT_GUARDED_BY(...) FIBERSCOPE_MARK(guarded_by(__VA_ARGS__))
/// A function whose body is not analysed.
#define KIT_UNCHECKED FIBERSCOPE_MARK(no_thread_safety_analysis)
