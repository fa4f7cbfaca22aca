#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "simulator/input/sha256.hpp"
#include "simulator/results/ranks.hpp"

using namespace warpfront;
using namespace warpfront::results;

TEST_CASE("a final time is hashed as sixteen bytes, lowest first") {
    const std::vector<WideTime> times = {Time{0x0102}};
    CHECK(digest(times) == input::sha256_hex(std::string("\x02\x01", 2) + std::string(14, '\0')));
}

TEST_CASE("times beyond 64 bits reach the upper bytes") {
    const std::vector<WideTime> times = {WideTime{Wide{3} << 64}};
    CHECK(digest(times) == input::sha256_hex(std::string(8, '\0') + '\x03' + std::string(7, '\0')));
}

TEST_CASE("ranks are hashed in order") {
    const std::vector<WideTime> times = {Time{1}, Time{2}};
    CHECK(digest(times) == input::sha256_hex('\x01' + std::string(15, '\0') + '\x02' + std::string(15, '\0')));
}
