#include "testing/catch.h"  // read once for all tests: see CMakeLists.txt
