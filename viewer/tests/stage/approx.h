// Approx is in the global namespace in Catch2 v2, in namespace Catch in v3.
#pragma once

#include "testing/catch.h"

#if __has_include(<catch2/catch_all.hpp>)
using Catch::Approx;
#endif
