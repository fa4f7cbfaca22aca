#include "simulator/program/side_by_side.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace warpfront::program {

namespace {

constexpr std::size_t kMostSites = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;

/// The class with the numbers that its statements and phases have among those of all jobs.
RankClass renumbered(RankClass rank_class, std::size_t first_site, std::size_t first_phase) {
    for (Instruction& step : rank_class.code) {
        step.site = static_cast<std::uint16_t>(step.site + first_site);
        if (step.op == Op::phase && step.operand > 0) step.operand += static_cast<std::uint32_t>(first_phase);
    }
    return rank_class;
}

}  // namespace

Program side_by_side(std::span<const JobProgram> jobs) {
    Program all;
    std::uint64_t ranks = 0;
    for (const auto& [name, program, start] : jobs) {
        all.jobs.push_back({name, static_cast<std::uint32_t>(ranks),
                            static_cast<std::uint32_t>(program->class_of.size()),
                            static_cast<std::uint32_t>(all.classes.size()),
                            static_cast<std::uint32_t>(program->classes.size()), start});
        ranks += program->class_of.size();
        if (ranks > std::numeric_limits<std::uint32_t>::max()) {
            throw std::length_error(fmt::format("{} ranks are too many for one run", ranks));
        }
        if (all.sites.size() + program->sites.size() > kMostSites) {
            throw std::length_error(fmt::format("the jobs have more than {} statements", kMostSites));
        }
        all.iterations = std::max(all.iterations, program->iterations);
        for (const std::uint32_t number : program->class_of) {
            all.class_of.push_back(all.jobs.back().first_class + number);
        }
        for (const RankClass& rank_class : program->classes) {
            all.classes.push_back(renumbered(rank_class, all.sites.size(), all.phases.size()));
        }
        all.sites.insert(all.sites.end(), program->sites.begin(), program->sites.end());
        for (const std::string& phase : program->phases) all.phases.push_back(fmt::format("{}: {}", name, phase));
    }
    all.grid = {static_cast<std::uint32_t>(ranks), 1, 1};
    return all;
}

}  // namespace warpfront::program
