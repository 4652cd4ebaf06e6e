/* `_switch` once more, by another name and at another address: see jump.h. */
#define _switch fiberscope_switch_back
#if defined(__x86_64__)
#include "switch_x86_64.S"
#else
#include "switch_aarch64.S"
#endif
