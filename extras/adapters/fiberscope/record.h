/* Record the coroutines of any library as a trace of fiberscope. C99; needs the C library only.
 *
 *     fiberscope_open ──▶ fiberscope_thread (once a thread) ──▶ spawn, switch, state, insert, remove, note ──▶ close
 *
 * All calls may be made from several threads; what one coroutine does must be told by the thread that it runs on.
 * Without an open trace each call returns at once. docs/record-your-own.md has a complete example. */
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
/* None: no coroutine; also what spawn and declare return without a trace. Calls ignore it. */
#define FIBERSCOPE_NONE UINT32_MAX

/* What a coroutine is for. */
enum fiberscope_kind { FIBERSCOPE_THREAD, FIBERSCOPE_SCHEDULER, FIBERSCOPE_IDLE, FIBERSCOPE_TASK };
/* NORMAL: it has resumed another one and waits for it. */
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
/* Why a switch is made. START: the first time that a coroutine is entered. SWAP: between two that do not know each
 * other as caller and callee; JUMP: the same, and the first one does not come back. */
enum fiberscope_why {
    FIBERSCOPE_START,
    FIBERSCOPE_RESUME,
    FIBERSCOPE_YIELD,
    FIBERSCOPE_EXIT,
    FIBERSCOPE_SWAP,
    FIBERSCOPE_JUMP
};
/* Why a state changes without a switch. */
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
/* What the members of a set have in common, and how it is kept. */
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

/* What the head of the trace says; each may be null. `now` returns nanoseconds that never run backwards; null: the
 * monotonic clock. A program that gives a clock of its own, which only its own work moves, records the same bytes each
 * time. */
struct fiberscope_options {
    const char* library;
    const char* program;
    uint64_t (*now)(void);
};

/* Begins a trace in `file`, replacing an older one when it is sure that the new one can be written. `options` may be
 * null. Returns 0 or an errno: EBUSY if a trace is open already, EWOULDBLOCK if another process writes this file. */
FIBERSCOPE_API int fiberscope_open(const char* file, const struct fiberscope_options* options);
/* Ends it: the file is whole. Other threads must have stopped recording. Returns 0 or an errno. */
FIBERSCOPE_API int fiberscope_close(void);
/* Not 0 while a trace is open. */
FIBERSCOPE_API int fiberscope_recording(void);

/* The calling thread's own context: a coroutine that runs from now on. Call it before the thread's first switch; called
 * again, it returns the same number. */
FIBERSCOPE_API fiberscope_co fiberscope_thread(const char* name);
/* The calling thread ends. A thread that returns without this call is recorded as ended when its variables have been
 * destroyed. */
FIBERSCOPE_API void fiberscope_thread_end(void);
/* The calling thread blocks until fiberscope_unpark and runs nothing meanwhile. `reason` says what it waits for
 * ("epoll"), may be null, and must stay valid until then. To park a thread twice, to unpark one that is not parked, and
 * either one in a thread without fiberscope_thread, does nothing. */
FIBERSCOPE_API void fiberscope_park(const char* reason);
FIBERSCOPE_API void fiberscope_unpark(void);
/* A new coroutine, made by `parent`, in state NEW. `name` may be null; `stack_bytes` 0: not known. */
FIBERSCOPE_API fiberscope_co fiberscope_spawn(enum fiberscope_kind kind, const char* name, fiberscope_co parent,
                                              size_t stack_bytes);
/* Gives a coroutine a name after its spawn. It applies to the whole trace; the last name counts. */
FIBERSCOPE_API void fiberscope_name(fiberscope_co co, const char* name);
/* Tell it right before the switch: `from`, which runs, is left in state `left`; `to` runs from now on. `reason` says
 * for what a WAITING one waits ("a full basket"), and may be null. */
FIBERSCOPE_API void fiberscope_switch(fiberscope_co from, fiberscope_co to, enum fiberscope_why why,
                                      enum fiberscope_state left, const char* reason);
/* The same for one that is left SLEEPING, or WAITING with a limit, until `until` (ns of the trace's clock). */
FIBERSCOPE_API void fiberscope_switch_until(fiberscope_co from, fiberscope_co to, enum fiberscope_why why,
                                            enum fiberscope_state left, uint64_t until, const char* reason);
/* A step without a switch: a sleeper becomes ready, one that was never entered is dead. */
FIBERSCOPE_API void fiberscope_set_state(fiberscope_co co, enum fiberscope_state from, enum fiberscope_state to,
                                         enum fiberscope_cause cause);

/* A set of coroutines, known by its name. */
FIBERSCOPE_API fiberscope_set fiberscope_declare(const char* name, enum fiberscope_role role,
                                                 enum fiberscope_structure structure);
/* `key` says what orders the set ("1200 ns"), and may be null. */
FIBERSCOPE_API void fiberscope_insert(fiberscope_set set, fiberscope_co co, const char* key);
FIBERSCOPE_API void fiberscope_remove(fiberscope_set set, fiberscope_co co);

/* Words of the program itself. */
FIBERSCOPE_API void fiberscope_note(fiberscope_co co, const char* text);
/* The time of the trace's clock, ns since fiberscope_open. */
FIBERSCOPE_API uint64_t fiberscope_now(void);

#ifdef __cplusplus
}
#endif

#endif
