"""Coroutines in gdb. values: reading the program's memory; kit: the kit's records of coroutines; frames: the frames
of suspended coroutines; reasons: why a coroutine is not running; sets: the sets of a scheduler; commands: the
user-visible commands; say: their texts, in two languages."""
