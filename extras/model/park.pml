/* Step 4.8: parking and waking parked machines, as a model for spin.
 *
 *     spin -run -safety park.pml                 finds no error
 *     spin -DNO_LOOK -run -safety park.pml       without the second look: a machine sleeps although there is work
 *     spin -DNO_ANNOUNCEMENT …                   parks without an announcement
 *     spin -DNO_FENCE …                          without the fences
 *     spin -DNO_TOKEN …                          an unpark before the sleep is lost
 *
 * One machine, the owner, pushes Gs into its own queue, as push_local does; the other, the thief, looks for work and
 * parks, as GoScheduler::park does. spin assumes sequential consistency, but on a processor a store may remain in the
 * store buffer during later loads. So each machine has a buffer for one store here, which is emptied at any later
 * moment, by a fence, or by taking a lock.
 */

#define GS 3 /* pushed by the owner */

byte queue = 0;      /* length of the owner's queue, as the others see it */
byte idle = 0;       /* machines that have announced themselves, likewise */
bool token = false;  /* the thief has been unparked since it last parked */
bool asleep = false, owner_done = false;
bool locked = false; /* the scheduler's lock */

/* store buffers */
byte queue_later = 0, idle_later = 0;
bool queue_waits = false, idle_waits = false;

inline empty_owners_buffer() { d_step { if :: queue_waits -> queue = queue_later; queue_waits = false :: else fi } }
inline empty_thiefs_buffer() { d_step { if :: idle_waits -> idle = idle_later; idle_waits = false :: else fi } }

#ifdef NO_FENCE
#define owners_fence skip
#define thiefs_fence skip
#else
#define owners_fence empty_owners_buffer()
#define thiefs_fence empty_thiefs_buffer()
#endif

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* Eventually writes the buffers to memory. */
active proctype memory() {
  do
  :: queue_waits -> empty_owners_buffer()
  :: idle_waits -> empty_thiefs_buffer()
  :: owner_done && !queue_waits && !idle_waits -> break
  od
}

active proctype owner() {
  byte length = 0;
  do
  :: length < GS ->
     length++;
     d_step { queue_later = length; queue_waits = true }
     owners_fence;
     if
     :: length >= 2 && idle > 0 ->
        lock();
        empty_owners_buffer();
        if
        :: idle > 0 -> atomic { idle = 0; token = true } /* unpark_one */
        :: else
        fi;
        unlock()
     :: else
     fi
  :: else -> break
  od;
  owner_done = true
}

active proctype thief() {
  do
  :: queue >= 2 -> break /* found work: enough for this model */
  :: else ->
     lock();
#ifndef NO_ANNOUNCEMENT
     d_step { idle_later = 1; idle_waits = true }
     thiefs_fence;
#endif
#ifdef NO_LOOK
     if
     :: true ->
#else
     if
     :: queue >= 2 ->
        empty_thiefs_buffer();
        idle = 0;
        unlock();
        break
     :: else ->
#endif
        unlock();
#ifdef NO_TOKEN
        token = false;
#endif
        asleep = true;
        token; /* park() */
        asleep = false;
        token = false
     fi
  od
}

/* When nothing more can happen, nobody may sleep beside work that he could have. */
active proctype watch() {
  timeout;
  assert(!(asleep && queue >= 2))
}
