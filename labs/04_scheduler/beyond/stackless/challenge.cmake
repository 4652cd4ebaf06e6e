# Step 4.18: a compiler makes a jump of a symmetric transfer where it optimises; tests are not.
set_source_files_properties(beyond/stackless/tests/stackless_depth_test.cpp PROPERTIES
  COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
