// Two runs that must not differ: every rank's time, every iteration, every part of the breakdown, every link.
#pragma once

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include "tests/comparison/differences.hpp"

namespace warpfront::test {

inline void check_same_run(const record::Record& a, const record::Record& b) {
    const std::vector<std::string> differing = differences(a, b);
    CHECK_MESSAGE(differing.empty(), fmt::format("{}", fmt::join(differing, "; ")));
}

}  // namespace warpfront::test
