// The printed form of enumerators in failed assertions.
#include <string>

#include "labs/kit/run/errors.h"
#include "testing/catch.h"
#include "traces/schema/schema.h"

using namespace fiberscope;

namespace {

enum class Seldom : unsigned char { one = 1, seven = 7, far = 200 };

template <class E>
std::string shown(E value) {
    return Catch::StringMaker<E>::convert(value);
}

}  // namespace

TEST_CASE("a failed assertion prints the names of enumerators") {
    CHECK(shown(trace::State::suspended) == "State::suspended");
    CHECK(shown(kit::MisuseKind::resume_of_dead) == "MisuseKind::resume_of_dead");
    CHECK(shown(Seldom::seven) == "Seldom::seven");
}

TEST_CASE("a failed assertion prints the number of an invalid or large enumerator") {
    CHECK(shown(static_cast<Seldom>(3)) == "3");
    CHECK(shown(Seldom::far) == "200");
}
