#include "tools/answer/experiment/repeated_draws.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "simulator/program/execution.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

namespace {

/// Returns the blocks of all ranks in the whole run that have work.
double blocks_of(const program::Program& program) {
    return static_cast<double>(program::sum_over_ranks(program, [](const program::Instruction& step) {
        return std::uint64_t{program::computes(step.op) && step.amount > 0};
    }));
}

/// Returns the computing of one rank of each class in the whole run, in seconds.
std::vector<double> computing_of_classes(const program::Program& program) {
    std::vector<double> sums;
    for (const program::RankClass& rank_class : program.classes) {
        sums.push_back(0.0);
        program::for_each_counted(rank_class.code, [&](const program::Instruction& step, std::uint64_t times) {
            if (program::computes(step.op)) sums.back() += seconds(Time{step.amount}) * static_cast<double>(times);
        });
    }
    return sums;
}

/// Returns the iterations that contain `wanted` of what an iteration contains `each` on average.
double iterations_for(double wanted, double each) { return each > 0.0 ? std::ceil(wanted / each) : 1.0; }

}  // namespace

double interruptions_per_iteration(const program::Program& program, const variation::Noise& noise) {
    if (!noise.interruptions) return 0.0;
    const std::vector<double> computing = computing_of_classes(program);
    double all = 0.0;
    for (std::size_t rank = 0; rank < program.class_of.size(); ++rank) {
        const bool absorbed = noise.interruptions->absorbed_by_idle_core && !noise.has_idle_core.empty();
        if (!absorbed || !noise.has_idle_core[rank]) all += computing[program.class_of[rank]];
    }
    return noise.interruptions->per_second * all / static_cast<double>(program.iterations);
}

std::int64_t iterations_until_repeat(const program::Program& program, const variation::Noise& noise) {
    const auto iterations = static_cast<double>(program.iterations);
    const double messages = static_cast<double>(program::traffic(program).messages) / iterations;
    double wanted = iterations_for(kFewestInterruptions, interruptions_per_iteration(program, noise));
    if (noise.varies()) wanted = std::max(wanted, iterations_for(kFewestBlocks, blocks_of(program) / iterations));
    const double affordable = messages > 0.0 ? std::max(1.0, std::floor(kMostMessages / messages)) : iterations;
    return static_cast<std::int64_t>(std::min({wanted, affordable, iterations}));
}

}  // namespace warpfront::tools
