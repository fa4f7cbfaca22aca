#include "tools/from_code/learning/sizes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::learning {

namespace {

using Numbers = std::map<std::string, std::int64_t>;

/// Returns the first error of the model on a process grid. Returns an empty text if there is none.
std::string fault_on(const Learnt& learnt, const std::filesystem::path& file, const RankGrid& grid,
                     const Numbers& parameters) {
    psl::Bindings bindings;
    bindings.grid = grid;
    bindings.iterations = 2;
    for (const auto& [name, value] : parameters) bindings.parameters[name] = {fmt::format("{}", value), {}};
    if (learnt.counted) bindings.processor = psl::Processor{learnt.counted->kernel->processor(), learnt.counted->rate};
    bindings.trace = [](const psl::TraceRegion&) { return program::Program{}; };
    try {
        psl::lower(psl::load_text(file, model_text(learnt, "model")), bindings);
        return {};
    } catch (const input::BadInput& bad) {
        return bad.diagnostics().all().front().message;
    }
}

/// Returns the parameters that the model uses.
Numbers parameters_of(const Learnt& learnt, const std::vector<std::int64_t>& values) {
    Numbers numbers;
    for (const std::uint32_t used : used_parameters(learnt)) {
        if (used >= Variables::kParameters)
            numbers[learnt.variables.names[used]] = values[used - Variables::kParameters];
    }
    return numbers;
}

/// Returns the sides along which ranks share each parameter.
std::map<std::string, std::array<bool, 3>> sides_of(const Learnt& learnt) {
    std::map<std::string, std::array<bool, 3>> sides;
    const auto add = [&](const std::vector<Atom>& atoms) {
        for (const Atom& atom : atoms) {
            if (is_share(atom)) sides[learnt.variables.names[atom.a]].at(atom.b) = true;
        }
    };
    for (const auto& [part, size] : learnt.sizes) {
        for (const Term& term : size.usual.terms) add(term.atoms);
    }
    for (const auto& [part, iterations] : learnt.iterations) {
        for (const Term& term : iterations.terms) add(term.atoms);
    }
    for (const auto& [part, work] : learnt.works) add(work.law.atoms);
    return sides;
}

std::vector<RankGrid> grids_of_check(const Learnt& learnt) {
    const auto all_one = [&](std::uint32_t Extents::*side) {
        return std::ranges::all_of(learnt.runs, [side](const Run& run) { return run.grid.*side == 1; });
    };
    std::vector<RankGrid> grids;
    for (const std::uint32_t size : {2U, 4U, 8U, 32U, 128U}) {
        RankGrid grid;
        grid.columns = all_one(&Extents::columns) ? 1 : size;
        grid.rows = all_one(&Extents::rows) ? 1 : size;
        grid.planes = all_one(&Extents::planes) ? 1 : std::min(size, 8U);
        grids.push_back(grid);
    }
    return grids;
}

}  // namespace

std::vector<SizeCheck> check_sizes(const Learnt& learnt, const std::filesystem::path& file) {
    if (!std::ranges::all_of(learnt.regions, &Region::left_out)) return {};
    const Run& most = learnt.runs[largest(learnt.runs)];
    const std::array<std::uint32_t, 3> own{most.grid.columns, most.grid.rows, most.grid.planes};
    std::vector<SizeCheck> checks;
    for (const RankGrid& grid : grids_of_check(learnt)) {
        const std::array<std::uint32_t, 3> size{grid.columns, grid.rows, grid.planes};
        Numbers parameters = parameters_of(learnt, most.parameters);
        for (const auto& [name, sides] : sides_of(learnt)) {
            if (!parameters.contains(name)) continue;
            std::int64_t grown = parameters[name];
            for (std::size_t side = 0; side < sides.size(); ++side) {
                if (!sides.at(side)) continue;
                grown = std::max(grown, (parameters[name] * size.at(side) + own.at(side) - 1) / own.at(side));
            }
            parameters[name] = grown;
        }
        checks.push_back({grid, fault_on(learnt, file, grid, parameters)});
    }
    return checks;
}

std::string refusal_on(const Learnt& learnt, const trace::RecordedRun& recorded, const std::filesystem::path& file) {
    if (!std::ranges::all_of(learnt.regions, &Region::left_out)) return {};
    const Run run = run_as_learnt(learnt, recorded);
    return fault_on(learnt, file, run.grid, parameters_of(learnt, run.parameters));
}

}  // namespace warpfront::learning
