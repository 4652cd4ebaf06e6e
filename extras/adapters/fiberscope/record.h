/* Record the coroutines of any library as a trace of fiberscope. C99; needs the C library only.
 *
 *     fiberscope_open ──▶ fiberscope_thread (once a thread) ──▶ spawn, switch, state, insert, remove, note ──▶ close
 *
 * Thread-safe; the actions of a coroutine must be recorded by the thread that it runs on.
 * Without an open trace every call is a no-op. docs/record-your-own.md has a complete example. */
#ifndef FIBERSCOPE_RECORD_H
#define FIBERSCOPE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FIBERSCOPE_API __attribute__((visibility("default")))
#else
#define FIBERSCOPE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A coroutine, or a set, by its number in the trace. */
typedef uint32_t fiberscope_co;
typedef uint32_t fiberscope_set;
/* No coroutine; also returned by spawn and declare without a trace. Calls ignore it. */
#define FIBERSCOPE_NONE UINT32_MAX

/* Kinds of coroutines. */
enum fiberscope_kind { FIBERSCOPE_THREAD, FIBERSCOPE_SCHEDULER, FIBERSCOPE_IDLE, FIBERSCOPE_TASK };
/* NORMAL: has resumed another coroutine and waits for it. */
enum fiberscope_state {
    FIBERSCOPE_NEW,
    FIBERSCOPE_READY,
    FIBERSCOPE_RUNNING,
    FIBERSCOPE_NORMAL,
    FIBERSCOPE_SUSPENDED,
    FIBERSCOPE_SLEEPING,
    FIBERSCOPE_WAITING,
    FIBERSCOPE_DEAD
};
/* Kinds of switches. START: the first entry of a coroutine. SWAP: between two coroutines that are not caller and
 * callee; JUMP: the same, but the first one does not come back. */
enum fiberscope_why {
    FIBERSCOPE_START,
    FIBERSCOPE_RESUME,
    FIBERSCOPE_YIELD,
    FIBERSCOPE_EXIT,
    FIBERSCOPE_SWAP,
    FIBERSCOPE_JUMP
};
/* Causes of a change of state without a switch. */
enum fiberscope_cause {
    FIBERSCOPE_NO_CAUSE,
    FIBERSCOPE_SPAWNED,
    FIBERSCOPE_EVENT,
    FIBERSCOPE_DEADLINE,
    FIBERSCOPE_SIGNAL,
    FIBERSCOPE_CANCEL,
    FIBERSCOPE_STOP,
    FIBERSCOPE_UNLOCKED
};
/* The purpose of a set, and its data structure. */
enum fiberscope_role {
    FIBERSCOPE_ROLE_READY,
    FIBERSCOPE_ROLE_SLEEP,
    FIBERSCOPE_ROLE_WAIT,
    FIBERSCOPE_ROLE_LOCK,
    FIBERSCOPE_ROLE_CHANNEL,
    FIBERSCOPE_ROLE_BUFFER,
    FIBERSCOPE_ROLE_TIMER,
    FIBERSCOPE_ROLE_REMOVED,
    FIBERSCOPE_ROLE_POOL
};
enum fiberscope_structure { FIBERSCOPE_QUEUE, FIBERSCOPE_RBTREE, FIBERSCOPE_HEAP, FIBERSCOPE_WHEEL, FIBERSCOPE_MAP };

/* Properties of the trace; each may be null. `now` returns monotonic nanoseconds; null: the monotonic clock. With a
 * clock that only the program itself advances, recordings are reproducible. */
struct fiberscope_options {
    const char* library;
    const char* program;
    uint64_t (*now)(void);
};

/* Begins a trace in `file`, replacing an older one once the new one can be written. `options` may be
 * null. Returns 0 or an errno: EBUSY if a trace is open already, EWOULDBLOCK if another process writes this file. */
FIBERSCOPE_API int fiberscope_open(const char* file, const struct fiberscope_options* options);
/* Ends the trace and completes the file. Other threads must have stopped recording. Returns 0 or an errno. */
FIBERSCOPE_API int fiberscope_close(void);
/* Returns nonzero while a trace is open. */
FIBERSCOPE_API int fiberscope_recording(void);

/* Returns the coroutine of the calling thread's own context, which is running. To be called before the thread's first
 * switch. Idempotent. */
FIBERSCOPE_API fiberscope_co fiberscope_thread(const char* name);
/* The calling thread ends. A thread that returns without this call is recorded as ended when its variables have been
 * destroyed. */
FIBERSCOPE_API void fiberscope_thread_end(void);
/* The calling thread blocks until fiberscope_unpark, and runs no coroutine. `reason` ("epoll") may be null, and must
 * stay valid until then. No-op for a thread that is already parked, or without fiberscope_thread; likewise to unpark a
 * thread that is not parked. */
FIBERSCOPE_API void fiberscope_park(const char* reason);
FIBERSCOPE_API void fiberscope_unpark(void);
/* Returns a new coroutine, created by `parent`, in state NEW. `name` may be null; `stack_bytes` 0: unknown. */
FIBERSCOPE_API fiberscope_co fiberscope_spawn(enum fiberscope_kind kind, const char* name, fiberscope_co parent,
                                              size_t stack_bytes);
/* Gives a coroutine a name after its spawn. It applies to the whole trace; the last name counts. */
FIBERSCOPE_API void fiberscope_name(fiberscope_co co, const char* name);
/* To be called right before the switch: `from`, which is running, changes to state `left`; `to` runs from now on.
 * `reason` of a WAITING coroutine ("a full basket") may be null. */
FIBERSCOPE_API void fiberscope_switch(fiberscope_co from, fiberscope_co to, enum fiberscope_why why,
                                      enum fiberscope_state left, const char* reason);
/* The same for a coroutine SLEEPING, or WAITING with a time limit, until `until` (ns of the trace's clock). */
FIBERSCOPE_API void fiberscope_switch_until(fiberscope_co from, fiberscope_co to, enum fiberscope_why why,
                                            enum fiberscope_state left, uint64_t until, const char* reason);
/* A change of state without a switch: a sleeper becomes ready, a coroutine that was never entered is dead. */
FIBERSCOPE_API void fiberscope_set_state(fiberscope_co co, enum fiberscope_state from, enum fiberscope_state to,
                                         enum fiberscope_cause cause);

/* Returns a set of coroutines, identified by its name. */
FIBERSCOPE_API fiberscope_set fiberscope_declare(const char* name, enum fiberscope_role role,
                                                 enum fiberscope_structure structure);
/* `key`, by which the set is ordered ("1200 ns"), may be null. */
FIBERSCOPE_API void fiberscope_insert(fiberscope_set set, fiberscope_co co, const char* key);
FIBERSCOPE_API void fiberscope_remove(fiberscope_set set, fiberscope_co co);

/* Records a message of the program. */
FIBERSCOPE_API void fiberscope_note(fiberscope_co co, const char* text);
/* Returns the time of the trace's clock, in ns since fiberscope_open. */
FIBERSCOPE_API uint64_t fiberscope_now(void);

#ifdef __cplusplus
}
#endif

#endif
