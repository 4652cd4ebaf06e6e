// Approx lies in the global namespace with Catch2 v2, in Catch with v3.
#pragma once

#include "testing/catch.h"

#if __has_include(<catch2/catch_all.hpp>)
using Catch::Approx;
#endif
