/* Records the threads of State Threads (libst) by its switch callbacks. For one source file of a program:
 *
 *     st_init();
 *     fiberscope_open("mine.json", NULL);
 *     fiberscope_st_begin();                             in the primordial thread
 *     fiberscope_st_create("reader", read_all, ...);     instead of st_thread_create
 *
 * st's threads are equals: each switch is a swap, and the last one of a thread a jump. A thread that was made by
 * st_thread_create is recorded without a name, from its first switch on. While st's idle thread polls, the machine is
 * parked; libst calls nothing for that thread, so this header defines `select` and `poll` for the program. */
#ifndef FIBERSCOPE_STATE_THREADS_H
#define FIBERSCOPE_STATE_THREADS_H

#include <fiberscope/record.h>
#include <poll.h>
#include <st.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/select.h>

/* The function of a thread of st. */
struct fiberscope_st_start {
    void* (*start)(void*);
    void* argument;
    fiberscope_co number;
};

/* Keys of each thread: its number + 1, or the address of `dead`; and any value, whose destructor notes the end. */
static int fiberscope_st_number_key, fiberscope_st_end_key;
static char fiberscope_st_dead;
static fiberscope_co fiberscope_st_running = FIBERSCOPE_NONE, fiberscope_st_idle = FIBERSCOPE_NONE;
static int fiberscope_st_ended;   /* the running thread has ended */
static int fiberscope_st_leaving; /* between leaving a thread and entering the next one */

static void fiberscope_st_is(fiberscope_co number) {
    st_thread_setspecific(fiberscope_st_number_key, (void*)((uintptr_t)number + 1));
    st_thread_setspecific(fiberscope_st_end_key, &fiberscope_st_dead);
}

/* Records a switch from the running thread to `number`. */
static void fiberscope_st_enter(fiberscope_co number) {
    if (number == fiberscope_st_running) return;
    fiberscope_switch(fiberscope_st_running, number, fiberscope_st_ended ? FIBERSCOPE_JUMP : FIBERSCOPE_SWAP,
                      fiberscope_st_ended ? FIBERSCOPE_DEAD : FIBERSCOPE_SUSPENDED, NULL);
    fiberscope_st_running = number;
    fiberscope_st_ended = 0;
}

/* Enters the calling thread of st, unless it has ended: st enters such a thread once more to free it. st calls "in"
 * whenever it enters a thread but the first time, so this is called at "out" too. It calls neither for its idle
 * thread. */
static void fiberscope_st_look(void) {
    void* const self = st_thread_getspecific(fiberscope_st_number_key);
    if (self == &fiberscope_st_dead) return;
    if (self == NULL) fiberscope_st_is(fiberscope_spawn(FIBERSCOPE_TASK, NULL, fiberscope_st_running, 0));
    fiberscope_st_enter((fiberscope_co)((uintptr_t)st_thread_getspecific(fiberscope_st_number_key) - 1));
}

/* Called when a thread is entered. */
static void fiberscope_st_in(void) {
    fiberscope_st_leaving = 0;
    fiberscope_st_look();
}
/* Called when a thread is left for another one, or for the idle thread. */
static void fiberscope_st_out(void) {
    fiberscope_st_look();
    fiberscope_st_leaving = 1;
}

/* libst polls with these two functions, which are intercepted here. glibc has second names for them. */
#ifdef __cplusplus
extern "C" {
#endif
extern int fiberscope_st_libc_poll(struct pollfd*, nfds_t, int) __asm__("__poll");
extern int fiberscope_st_libc_select(int, fd_set*, fd_set*, fd_set*, struct timeval*) __asm__("__select");
int fiberscope_st_poll(struct pollfd*, nfds_t, int) __asm__("poll");
int fiberscope_st_select(int, fd_set*, fd_set*, fd_set*, struct timeval*) __asm__("select");

static int fiberscope_st_idles(const char* reason) {
    if (!fiberscope_st_leaving) return 0; /* the program's own call */
    fiberscope_st_enter(fiberscope_st_idle);
    fiberscope_park(reason);
    return 1;
}
int fiberscope_st_poll(struct pollfd* all, nfds_t count, int timeout) {
    const int idles = fiberscope_st_idles("poll"), ready = fiberscope_st_libc_poll(all, count, timeout);
    if (idles) fiberscope_unpark();
    return ready;
}
int fiberscope_st_select(int count, fd_set* in, fd_set* out, fd_set* error, struct timeval* timeout) {
    const int idles = fiberscope_st_idles("select");
    const int ready = fiberscope_st_libc_select(count, in, out, error, timeout);
    if (idles) fiberscope_unpark();
    return ready;
}
#ifdef __cplusplus
}
#endif

/* Called by st when a thread ends, while it still runs. */
static void fiberscope_st_end(void* dead) {
    fiberscope_st_look();
    st_thread_setspecific(fiberscope_st_number_key, dead);
    fiberscope_st_ended = fiberscope_st_leaving = 1;
}

static void* fiberscope_st_run(void* given) {
    const struct fiberscope_st_start self = *(struct fiberscope_st_start*)given;
    free(given);
    fiberscope_st_leaving = 0;
    fiberscope_st_is(self.number);
    fiberscope_st_enter(self.number);
    return self.start(self.argument);
}

/* To be called after st_init and fiberscope_open. Returns 0, or -1 with errno. */
static int fiberscope_st_begin(void) {
    if (st_key_create(&fiberscope_st_number_key, NULL) != 0) return -1;
    if (st_key_create(&fiberscope_st_end_key, fiberscope_st_end) != 0) return -1;
    fiberscope_st_running = fiberscope_thread("primordial");
    fiberscope_st_is(fiberscope_st_running);
    fiberscope_st_idle = fiberscope_spawn(FIBERSCOPE_IDLE, "idle", fiberscope_st_running, 0);
    st_set_switch_out_cb(fiberscope_st_out);
    st_set_switch_in_cb(fiberscope_st_in);
    return 0;
}

/* Like st_thread_create, with a name, which may be null. */
static st_thread_t fiberscope_st_create(const char* name, void* (*start)(void*), void* argument, int joinable,
                                        int stack_size) {
    struct fiberscope_st_start* self = (struct fiberscope_st_start*)malloc(sizeof *self);
    st_thread_t made;
    if (self == NULL) return NULL;
    self->start = start;
    self->argument = argument;
    self->number = fiberscope_spawn(FIBERSCOPE_TASK, name, fiberscope_st_running, (size_t)stack_size);
    made = st_thread_create(fiberscope_st_run, self, joinable, stack_size);
    if (made == NULL) {
        fiberscope_set_state(self->number, FIBERSCOPE_NEW, FIBERSCOPE_DEAD, FIBERSCOPE_STOP);
        free(self);
    }
    return made;
}

#endif
