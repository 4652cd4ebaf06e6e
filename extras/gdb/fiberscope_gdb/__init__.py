"""Coroutines in gdb. values: reading the program's memory; kit: what the kit knows of coroutines; frames: the frames
of one that is not running; reasons: why it is not running; sets: the sets of a scheduler; commands: what one can
type; words: what all of these say, in two languages."""
