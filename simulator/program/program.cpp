#include "simulator/program/program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace warpfront::program {

namespace {

template <class Is>
bool any(std::span<const RankClass> classes, Is is) {
    return std::ranges::any_of(
        classes, [is](const RankClass& each) { return std::ranges::any_of(each.code, is, &Instruction::op); });
}

bool is_allreduce(Op op) { return op == Op::allreduce; }

}  // namespace

std::span<const std::uint32_t> endpoints_of(const Instruction& step, const RankClass& rank_class) {
    switch (operation(step.op).operand) {
        case Operand::send_endpoint:
        case Operand::receive_endpoint: return {&step.operand, 1};
        case Operand::choice: return rank_class.choices[step.operand].receive_endpoints;
        case Operand::reply: return rank_class.replies[step.operand].send_endpoints;
        case Operand::none:
        case Operand::instruction:
        case Operand::phase: break;
    }
    return {};
}

std::vector<RankRange> collective_groups(const Program& program) {
    if (program.jobs.empty()) return {{0, static_cast<std::uint32_t>(program.class_of.size()), has_allreduce(program)}};
    std::vector<RankRange> groups;
    for (const Job& job : program.jobs) {
        const auto classes = std::span(program.classes).subspan(job.first_class, job.classes);
        groups.push_back({job.first_rank, job.ranks, any(classes, is_allreduce)});
    }
    return groups;
}

bool has_allreduce(const Program& program) { return any(program.classes, is_allreduce); }

bool has_isend(const Program& program) {
    return any(program.classes, [](Op op) { return operation(op).effect == Effect::begin_send; });
}

bool has_choices(const Program& program) { return any(program.classes, chooses); }

bool has_delay(const Program& program) {
    return any(program.classes, [](Op op) { return op == Op::delay; });
}

std::vector<std::string> unique_task_names(const Program& program) {
    const std::vector<Task>& tasks = program.tasks->tasks;
    std::map<std::string, int> by_name;
    std::map<std::pair<std::string, unsigned>, int> by_line;
    for (const Task& task : tasks) {
        ++by_name[task.name];
        ++by_line[{task.name, program.sites[task.site].line}];
    }
    std::vector<std::string> names;
    for (const Task& task : tasks) {
        const Site& site = program.sites[task.site];
        const bool is_alone = by_line[{task.name, site.line}] == 1;
        names.push_back(by_name[task.name] == 1 ? task.name
                        : is_alone              ? fmt::format("{} ({})", task.name, site.line)
                                                : fmt::format("{} ({}:{})", task.name, site.line, site.column));
    }
    return names;
}

void add_use(std::vector<CollectiveUse>& uses, const CollectiveUse& use) {
    const auto known = std::ranges::find_if(uses, [&](const CollectiveUse& each) {
        return each.operation == use.operation && each.algorithm == use.algorithm && each.because == use.because &&
               each.least.has_value() == use.least.has_value();
    });
    if (known == uses.end()) return uses.push_back(use);
    known->fewest_ranks = std::min(known->fewest_ranks, use.fewest_ranks);
    known->most_ranks = std::max(known->most_ranks, use.most_ranks);
    known->least = std::min(known->least, use.least);
    known->most = std::max(known->most, use.most);
}

namespace {

constexpr std::size_t kMostSites = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;

/// Renumbers the statements and phases of a class so that they follow those of earlier jobs.
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
