// Marks by which clang checks, at compile time, that a lock is held where it must be (-Wthread-safety, an error in
// builds by clang). Other compilers see nothing of them. Where the analysis cannot follow, KIT_UNCHECKED says so, with
// the reason.
#pragma once

#ifdef __clang__
#define FIBERSCOPE_MARK(...) __attribute__((__VA_ARGS__))
#else
#define FIBERSCOPE_MARK(...)
#endif

/// A class that is a lock; and one that holds a lock from its constructor to its destructor.
#define KIT_CAPABILITY(name) FIBERSCOPE_MARK(capability(name))
#define KIT_SCOPED_CAPABILITY FIBERSCOPE_MARK(scoped_lockable)
/// A function that must be called with the lock held; without it; that takes it; that releases it.
#define KIT_REQUIRES(...) FIBERSCOPE_MARK(requires_capability(__VA_ARGS__))
#define KIT_EXCLUDES(...) FIBERSCOPE_MARK(locks_excluded(__VA_ARGS__))
#define KIT_ACQUIRE(...) FIBERSCOPE_MARK(acquire_capability(__VA_ARGS__))
#define KIT_TRY_ACQUIRE(...) FIBERSCOPE_MARK(try_acquire_capability(__VA_ARGS__))
#define KIT_RELEASE(...) FIBERSCOPE_MARK(release_capability(__VA_ARGS__))
/// A function that returns this lock.
#define KIT_RETURN_CAPABILITY(...) FIBERSCOPE_MARK(lock_returned(__VA_ARGS__))
/// Data that is read and written with the lock held only.
#define KIT_GUARDED_BY(...) FIBERSCOPE_MARK(guarded_by(__VA_ARGS__))
/// A function whose body the analysis cannot follow.
#define KIT_UNCHECKED FIBERSCOPE_MARK(no_thread_safety_analysis)
