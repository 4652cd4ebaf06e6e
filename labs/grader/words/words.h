// All that `check` says to a student, in one table for each language.
#pragma once

#include <string>
#include <string_view>

namespace fiberscope::grader {

enum class Language { english, chinese };

/// The language of say() from now on; English before.
void set_language(Language language) noexcept;
Language language() noexcept;

/// The language of the environment: LC_ALL, else LC_MESSAGES, else LANG; Chinese if that begins with "zh".
Language language_of_environment();

/// One sentence, phrase or label. "{0}", "{1}" … in the tables stand for what say() is given.
enum class W {
    // the marks of steps
    your_files,
    one_passes,
    all_pass,
    some_pass,
    not_tried,
    not_yet,
    needs_step,
    challenge,
    optional_step,
    unseen_of_step,
    seen_from,
    seen_by_none,
    // what to do next
    next_step,
    next_optional,
    earlier_failed,
    next_whole_lab,
    repair_step,
    repair_below,
    some_of_step,
    tests_do_not_compile,
    below_is_right,
    solve_below,
    passes_on_stand_in,
    fails_on_stand_in,
    building_others,
    is_building,
    read_label,
    edit_label,
    or_label,
    type_label,
    watch_it,
    solved,
    rest_is_optional,
    no_such_step,
    // how a test ended
    passed,
    not_implemented,
    needs_a_later_step,
    threw_to_a_later_step,
    left_early,
    does_not_hold,
    asserted_nothing,
    crashed,
    test_expects,
    signal_there,
    no_fault_handler,
    over_processor,
    over_idle,
    over_wall,
    over_wall_busy,
    also_alone,
    waits_to_read,
    waits_to_write,
    is_ready,
    is_in_state,
    is_readable_now,
    is_writable_now,
    peer_is_gone,
    descriptor_is_closed,
    nothing_has_come,
    others_too,
    it_was,
    outside_coroutines,
    in_coroutine,
    so_deep,
    on_stack_of,
    bytes,
    printed,
    printed_at_end,
    printed_without_end,
    expected,
    got,
    at,
    in_function,
    called_by,
    more_of_the_kind,
    also_failed,
    others_say_so,
    others_not_tried,
    sigsegv,
    sigbus,
    sigill,
    sigfpe,
    sigabrt,
    sigkill,
    sigtrap,
    sigpipe,
    other_signal,
    // its story
    last_events,
    event_line,
    register_changed,
    trace_is_cut,
    no_event,
    unreadable_trace,
    no_trace,
    trace_at,
    watch_trace,
    nothing_to_watch,
    in_gdb,
    core_dump,
    no_core_dump,
    // the build
    the_lab,
    does_not_compile,
    does_not_link,
    is_not_defined,
    is_not_defined_in,
    more_lines,
    compiler_warns,
    build_stopped,
    disk_is_full,
    count  ///< none of them: how many there are
};

std::string say(W word);
std::string say(W word, std::string_view a);
std::string say(W word, std::string_view a, std::string_view b);
std::string say(W word, std::string_view a, std::string_view b, std::string_view c);
std::string say(W word, std::string_view a, std::string_view b, std::string_view c, std::string_view d);

/// The text of the table as it stands, for tests.
std::string_view text_of(W word, Language language) noexcept;

/// The columns that UTF-8 text takes on a terminal: two for a Chinese character.
std::size_t columns(std::string_view text) noexcept;

}  // namespace fiberscope::grader
