/* Records the threads of State Threads (libst) by its switch callbacks. For one source file of a program:
 *
 *     st_init();
 *     fiberscope_open("mine.json", NULL);
 *     fiberscope_st_begin();                             in the primordial thread
 *     fiberscope_st_create("reader", read_all, ...);     in place of st_thread_create
 *
 * st's threads are equals: each switch is a swap, and the last one of a thread a jump. */
#ifndef FIBERSCOPE_STATE_THREADS_H
#define FIBERSCOPE_STATE_THREADS_H

#include <fiberscope/record.h>
#include <st.h>
#include <stdlib.h>

/* What begins in a thread of st. */
struct fiberscope_st_start {
    void* (*start)(void*);
    void* argument;
    fiberscope_co number;
};

static int fiberscope_st_key; /* of each thread's struct fiberscope_st_start */
static fiberscope_co fiberscope_st_running = FIBERSCOPE_NONE, fiberscope_st_ended = FIBERSCOPE_NONE;

/* Tells that `number` runs now, and that the one that ran does not. */
static void fiberscope_st_enter(fiberscope_co number) {
    const int dead = fiberscope_st_running == fiberscope_st_ended;
    if (number == fiberscope_st_running) return;
    fiberscope_switch(fiberscope_st_running, number, dead ? FIBERSCOPE_JUMP : FIBERSCOPE_SWAP,
                      dead ? FIBERSCOPE_DEAD : FIBERSCOPE_SUSPENDED, NULL);
    fiberscope_st_running = number;
    fiberscope_st_ended = FIBERSCOPE_NONE;
}

/* st's own idle thread is met here first: nothing tells when it is made. */
static fiberscope_co fiberscope_st_self(void) {
    struct fiberscope_st_start* self = (struct fiberscope_st_start*)st_thread_getspecific(fiberscope_st_key);
    if (self == NULL && (self = (struct fiberscope_st_start*)calloc(1, sizeof *self)) != NULL) {
        self->number = fiberscope_spawn(FIBERSCOPE_IDLE, "idle", fiberscope_st_running, 0);
        st_thread_setspecific(fiberscope_st_key, self);
    }
    return self == NULL ? FIBERSCOPE_NONE : self->number;
}

/* st does not call "in" when a thread is entered for the first time, so both look. */
static void fiberscope_st_look(void) {
    if (fiberscope_st_ended == FIBERSCOPE_NONE || fiberscope_st_running != fiberscope_st_ended)
        fiberscope_st_enter(fiberscope_st_self());
}
static void fiberscope_st_in(void) { fiberscope_st_enter(fiberscope_st_self()); }

/* st calls it when a thread ends, while it still runs. */
static void fiberscope_st_end(void* self) {
    fiberscope_st_ended = ((struct fiberscope_st_start*)self)->number;
    free(self);
}

static void* fiberscope_st_run(void* given) {
    struct fiberscope_st_start* self = (struct fiberscope_st_start*)given;
    st_thread_setspecific(fiberscope_st_key, self);
    fiberscope_st_enter(self->number);
    return self->start(self->argument);
}

/* After st_init and fiberscope_open. 0, or -1 and errno. */
static int fiberscope_st_begin(void) {
    struct fiberscope_st_start* self = (struct fiberscope_st_start*)calloc(1, sizeof *self);
    if (self == NULL || st_key_create(&fiberscope_st_key, fiberscope_st_end) != 0) return -1;
    self->number = fiberscope_st_running = fiberscope_thread("primordial");
    st_thread_setspecific(fiberscope_st_key, self);
    st_set_switch_out_cb(fiberscope_st_look);
    st_set_switch_in_cb(fiberscope_st_in);
    return 0;
}

/* As st_thread_create, with a name. */
static st_thread_t fiberscope_st_create(const char* name, void* (*start)(void*), void* argument, int joinable,
                                        int stack_size) {
    struct fiberscope_st_start* self = (struct fiberscope_st_start*)malloc(sizeof *self);
    if (self == NULL) return NULL;
    self->start = start;
    self->argument = argument;
    self->number = fiberscope_spawn(FIBERSCOPE_TASK, name, fiberscope_st_running, (size_t)stack_size);
    return st_thread_create(fiberscope_st_run, self, joinable, stack_size);
}

#endif
