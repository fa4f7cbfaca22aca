// What tests ask of runs: when ranks finish; that two do not differ, in any rank's time, iteration, part of the
// breakdown or link.
#pragma once

#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include "simulator/engine/engine.hpp"
#include "tests/comparison/differences.hpp"

namespace warpfront::test {

/// By rank.
inline std::vector<WideTime> finishes(const program::Program& program, const machine::Machine& machine) {
    return engine::run(program, machine, {}).rank_finish;
}

/// To compare them with, in picoseconds.
inline std::vector<WideTime> at(std::initializer_list<std::int64_t> times) {
    std::vector<WideTime> all;
    for (const std::int64_t time : times) all.push_back(WideTime{Time{time}});
    return all;
}

inline void check_same_run(const record::Record& a, const record::Record& b) {
    const std::vector<std::string> differing = differences(a, b);
    CHECK_MESSAGE(differing.empty(), fmt::format("{}", fmt::join(differing, "; ")));
}

}  // namespace warpfront::test
