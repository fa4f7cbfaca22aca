// Checks of runs for tests: the finish times of ranks; the equality of two runs in every rank's time, iteration, part
// of the breakdown and link.
#pragma once

#include "simulator/engine/engine.hpp"
#include "tests/comparison/differences.hpp"
#include "tests/engine/fixtures.hpp"

namespace warpfront::test {

/// Formats the nonzero parts of a breakdown or of a critical path, in microseconds: "compute 10, wait 5.5".
template <typename Parts, std::size_t N, typename Part>
std::string in_us(const Parts& parts, const std::array<Part, N>& all) {
    std::string text;
    for (const Part& part : all) {
        const auto time = static_cast<double>((parts.*part.time).ps) * 1e-6;
        if (time != 0.0) text += fmt::format("{}{} {:.9g}", text.empty() ? "" : ", ", part.name, time);
    }
    return text;
}
inline std::string in_us(const record::Breakdown& parts) { return in_us(parts, record::kBreakdownParts); }
inline std::string in_us(const record::PathParts& parts) { return in_us(parts, record::kPathParts); }

/// Returns the finish times by rank.
inline std::vector<WideTime> finishes(const program::Program& program, const machine::Machine& machine) {
    return engine::run(program, machine, {}).rank_finish;
}

inline std::vector<WideTime> finishes(const program::Program& program) {
    return finishes(program, simple_machine(program.grid));
}

/// Returns times in picoseconds for comparison with the finish times.
inline std::vector<WideTime> at(std::initializer_list<std::int64_t> times) {
    std::vector<WideTime> all;
    for (const std::int64_t time : times) all.push_back(WideTime{Time{time}});
    return all;
}

inline void check_same_run(const record::Record& a, const record::Record& b) {
    const std::vector<std::string> differing = differences(a, b);
    CHECK_MESSAGE(differing.empty(), fmt::format("{}", fmt::join(differing, "; ")));
}

/// Returns the ranks that are blocked if the run ends in a deadlock; none if it does not.
inline std::vector<record::Blocked> blocked_in(const program::Program& program, engine::Options options = {}) {
    try {
        engine::run(program, simple_machine(program.grid), options);
    } catch (const engine::Deadlock& deadlock) {
        return {deadlock.blocked().begin(), deadlock.blocked().end()};
    }
    return {};
}

struct FullAndSkipped {
    record::Record full, skipped;
};

/// Runs the program in full, skipping, and both on three threads; the runs must not differ.
inline FullAndSkipped check_all_ways(const program::Program& program, const machine::Machine& machine) {
    const FullAndSkipped runs{engine::run(program, machine, {.replay = engine::Replay::full}),
                              engine::run(program, machine, {})};
    check_same_run(runs.skipped, runs.full);
    check_same_run(engine::run(program, machine, {.replay = engine::Replay::full, .threads = 3}), runs.full);
    check_same_run(engine::run(program, machine, {.threads = 3}), runs.full);
    return runs;
}

}  // namespace warpfront::test
