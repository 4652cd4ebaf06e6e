# Compiles TRANSLATIONS with MSGFMT, which checks them, and writes the bytes of all catalogues to OUT. If ONLY_NOTES is
# given, catalogues whose path matches it are reduced to the texts marked as notes.
set(number 0)
foreach(file IN LISTS TRANSLATIONS)
  set(texts ${file})
  if(ONLY_NOTES AND file MATCHES "${ONLY_NOTES}")
    execute_process(COMMAND msggrep --msgctxt -F -e note -o ${OUT}.po ${file} COMMAND_ERROR_IS_FATAL ANY)
    set(texts ${OUT}.po)
  endif()
  execute_process(COMMAND ${MSGFMT} --check-format --check-domain -o ${OUT}.mo ${texts} COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${OUT}.mo bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
  string(REGEX REPLACE "([^\n]{1920})" "\\1\"\n\"" bytes "${bytes}")
  file(RELATIVE_PATH room ${ROOT} ${file})
  string(REGEX REPLACE "/zh.po$" "" room ${room})
  string(APPEND arrays "constexpr char k${number}[] =\n\"${bytes}\";\n")
  string(APPEND rows "    {\"${room}\", {k${number}, sizeof k${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUT} "#include \"languages/catalogue.h\"\n\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
  "namespace fiberscope::languages {\nnamespace {\n${arrays}"
  "constexpr Embedded kAll[] = {\n${rows}};\n}\nstd::span<const Embedded> embedded() noexcept { return kAll; }\n}\n")
