# fiberscope_guides_fuzzer(TARGET): libFuzzer sees which lines of a library its inputs reach. This changes the code that
# is made and not the language, so the precompiled headers of the others serve here too.
function(fiberscope_guides_fuzzer target)
  target_compile_options(${target} PRIVATE
    -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
endfunction()
