// The main of every plain test binary.
#include "testing/session.h"

int main(int argc, char** argv) { return fiberscope::testing::run_tests(argc, argv); }
