#include <doctest/doctest.h>

#include "simulator/machine/profile.hpp"

namespace warpfront::machine {

TEST_CASE("the row of a message is the first one whose limit it does not exceed") {
    Profile profile(3);
    profile[0].up_to = Bytes{1024};
    profile[1].up_to = Bytes{4096};
    CHECK(&row_for(profile, Bytes{0}) == &profile[0]);
    CHECK(&row_for(profile, Bytes{1024}) == &profile[0]);
    CHECK(&row_for(profile, Bytes{1025}) == &profile[1]);
    CHECK(&row_for(profile, Bytes{4096}) == &profile[1]);
    CHECK(&row_for(profile, Bytes{4097}) == &profile[2]);
}

TEST_CASE("a single row takes messages of all sizes") {
    const Profile profile(1);
    CHECK(&row_for(profile, Bytes{std::int64_t{1} << 40}) == &profile[0]);
}

}  // namespace warpfront::machine
