"""Reads values of the program. Never calls one of its functions, so it also works on a core dump."""

import gdb

from .say import say

MOST = 10**6  # a longer list is considered damaged, as is a cycle


class Refusal(Exception):
    """The reason why something cannot be shown, as one sentence."""


def type_named(name):
    try:
        return gdb.lookup_type(name)
    except gdb.error:
        return None


def pointer_to(name):
    found = type_named(name)
    if found is None:
        raise Refusal(say("there is no debug information for {0}: build the program with ./lab debug", name))
    return found.pointer()


def variable(name):
    """A global variable; None if the program has none of that name. Looked up as a symbol, because an expression
    depends on the language of the selected frame, which may be in the C library."""
    symbol = gdb.lookup_global_symbol(name)
    try:
        value = None if symbol is None else symbol.value(gdb.newest_frame())
        return None if value is None or value.is_optimized_out else value
    except gdb.error:
        return None


def at_symbol(name, type_name):
    """The object of that type at a symbol of the program; None if there is none. For a variable whose definition has
    no debug information."""
    try:
        address = int(gdb.parse_and_eval("(unsigned long)&" + name))
        return at(address, type_name) if type_named(type_name) is not None else None
    except gdb.error:
        return None


def address_of(pointer):
    return int(pointer.cast(gdb.lookup_type("unsigned long")))


def address_of_owned(unique_ptr):
    """The pointer in a std::unique_ptr, its only content."""
    return int(unique_ptr.address.cast(gdb.lookup_type("unsigned long").pointer()).dereference())


def at(address, type_name):
    """The object of that type at an address."""
    return gdb.Value(address).cast(pointer_to(type_name)).dereference()


def linked(first, next_of):
    """The pointers of a linked list, until null, unreadable memory, or a cycle."""
    found, seen = [], {0}
    while address_of(first) not in seen and len(found) < MOST and is_readable(first):
        seen.add(address_of(first))
        found.append(first)
        first = next_of(first)
    return found


def is_readable(pointer):
    try:
        gdb.selected_inferior().read_memory(address_of(pointer), max(1, pointer.dereference().type.sizeof))
        return True
    except gdb.MemoryError:
        return False


def between(first, end):
    """The pointers in a range, such as a std::vector; empty if the range is invalid."""
    count = (address_of(end) - address_of(first)) // max(1, first.dereference().type.sizeof)
    return [first + i for i in range(count)] if 0 < count <= MOST and is_readable(first) else []


def printable(text):
    """Escapes control characters in names, which come from the program."""
    return "".join(c if c.isprintable() else "\\x%02x" % ord(c) for c in text)


def text_of(std_string):
    try:
        length = int(std_string["_M_string_length"])
        if length > 4096:
            return say("(a damaged name)")
        return printable(std_string["_M_dataplus"]["_M_p"].string(length=length, errors="replace")) if length else ""
    except gdb.error:
        return say("(a damaged name)")


def in_words(ns):
    for unit, size in (("s", 10**9), ("ms", 10**6), ("µs", 10**3)):
        if ns >= size:
            return "%s %s" % (("%.3f" % (ns / size)).rstrip("0").rstrip("."), unit)
    return "%d ns" % ns
