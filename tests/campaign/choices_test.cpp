// A trial is given by seed and number alone, and one of its choices can be changed by itself.
#include "tests/campaign/choices.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

using namespace warpfront;
using namespace warpfront::campaign;

TEST_CASE("a choice depends on seed, trial and name, not on the choices made before") {
    Choices first({7}, 3);
    first.size("ranks", 1, 1'000'000'000);
    const std::int64_t tiles = first.size("tiles", 1, 1'000'000'000);
    Choices second({7}, 3);
    CHECK(second.size("tiles", 1, 1'000'000'000) == tiles);
    Choices other_trial({7}, 4);
    CHECK(other_trial.size("tiles", 1, 1'000'000'000) != tiles);
    Choices other_seed({8}, 3);
    CHECK(other_seed.size("tiles", 1, 1'000'000'000) != tiles);
}

TEST_CASE("a fixed choice is what it was fixed to, any other the simplest") {
    Choices choices(Fixed{{"ranks", 40}});
    CHECK(choices.size("ranks", 1, 100) == 40);
    CHECK(choices.size("tiles", 5, 100) == 5);
    CHECK(choices.below("corner", 4) == 0);
    CHECK_FALSE(choices.chance("noise", 1.0));
}

TEST_CASE("a fixed choice that is out of range is the nearest in range") {
    Choices choices(Fixed{{"ranks", 40}, {"tiles", 40}});
    CHECK(choices.size("ranks", 1, 12) == 12);
    CHECK(choices.size("tiles", 50, 60) == 50);
}

TEST_CASE("the choices that were made, fixed, make the same trial again") {
    Choices drawn({7}, 3);
    const std::int64_t ranks = drawn.size("ranks", 1, 2000);
    const std::int64_t kind = drawn.weighted("kind", {1, 1, 1});
    Choices again(fixed_of(drawn.made()));
    CHECK(again.size("ranks", 1, 2000) == ranks);
    CHECK(again.weighted("kind", {1, 1, 1}) == kind);
}

TEST_CASE("two choices of one name would always be alike, so they are refused") {
    Choices choices({7}, 3);
    choices.chance("noise", 0.5);
    CHECK_THROWS_WITH_AS(choices.chance("noise", 0.5), "two choices are called noise", std::logic_error);
}

TEST_CASE("sizes come from every power of two alike, both ends included") {
    constexpr std::uint32_t kTrials = 4000;
    std::uint32_t least = 0, most = 0, lower_half = 0;
    for (std::uint32_t trial = 0; trial < kTrials; ++trial) {
        Choices choices({1}, trial);
        const std::int64_t size = choices.size("ranks", 1, 15);
        REQUIRE((size >= 1 && size <= 15));
        least += size == 1 ? 1 : 0;
        most += size == 15 ? 1 : 0;
        lower_half += size <= 3 ? 1 : 0;
    }
    CHECK(least > 0);
    CHECK(most > 0);
    // 1 to 3 are two of the four powers of two from 1 to 16: 2000 expected, deviation sqrt(4000 / 4) = 32
    CHECK(lower_half > 2000 - 5 * 32);
    CHECK(lower_half < 2000 + 5 * 32);
}

TEST_CASE("what has no weight is never chosen") {
    for (std::uint32_t trial = 0; trial < 300; ++trial) {
        Choices choices({1}, trial);
        CHECK(choices.weighted("kind", {1, 0, 3}) != 1);
    }
}
