// What tests ask of runs: when ranks finish; that two do not differ, in any rank's time, iteration, part of the breakdown or
// link.
#pragma once

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include "simulator/engine/engine.hpp"
#include "tests/comparison/differences.hpp"

namespace warpfront::test {

/// By rank.
inline std::vector<WideTime> finishes(const program::Program& program, const machine::Machine& machine) {
    return engine::run(program, machine, {}).rank_finish;
}

inline void check_same_run(const record::Record& a, const record::Record& b) {
    const std::vector<std::string> differing = differences(a, b);
    CHECK_MESSAGE(differing.empty(), fmt::format("{}", fmt::join(differing, "; ")));
}

}  // namespace warpfront::test
