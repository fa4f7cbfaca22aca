#include "simulator/analytic/unequal_work.hpp"

#include <algorithm>
#include <numeric>

#include "simulator/analytic/fill.hpp"
#include "simulator/analytic/phases.hpp"
#include "simulator/analytic/plug_and_play.hpp"

namespace warpfront::analytic {

namespace {

using program::WavefrontPhase;

/// Returns the phase with all its computing multiplied by `factor`. Throws BadInput (closed_form_overflow).
program::WavefrontPhase slower(program::WavefrontPhase phase, double factor) {
    for (Time* const computing : {&phase.pre_work, &phase.work, &phase.other}) {
        *computing = scaled(*computing, factor, "on heterogeneous ranks");
    }
    return phase;
}

/// One iteration of a phase, sweep by sweep.
class UnequalIteration {
public:
    UnequalIteration(const WavefrontPhase& phase, const Inputs& inputs, const NeighbourLocalities& localities,
                     const WaveFactors& factors)
        : phase_(phase), machine_(inputs.machine), localities_(localities), factors_(factors) {}

    Iteration sum() const {
        Iteration iteration;
        for (std::size_t sweep = 0; sweep < phase_.corners.size(); ++sweep) {
            const double mean = factors_.mean(first_wave(sweep));
            const WavefrontPhase filling = slower(phase_, mean);
            const TileCosts costs = tile_costs(filling, machine_);
            const SweepFill fill(localities_, phase_.corners[sweep], costs);
            iteration.fill += fill.start(fill_ends_at(phase_.corners, sweep));
            iteration.stack += stack(sweep) - costs.pre_work;
            iteration.contention += times(contention(), phase_.tiles, "the bus contention");
        }
        iteration.nonwavefront = nonwavefront(slower(phase_, factors_.largest_of_others()), machine_);
        return iteration;
    }

private:
    std::uint64_t first_wave(std::size_t sweep) const { return sweep * static_cast<std::uint64_t>(phase_.tiles); }

    SteadyTile tile(double factor) const {
        const WavefrontPhase phase = slower(phase_, factor);
        return steady_tile(phase, tile_costs(phase, machine_), machine_);
    }
    WideTime contention() const { return tile(1.0).contention; }

    /// Returns the time of the stack. All waves without own factors take the same time; the other waves are added one
    /// by one.
    record::PathParts stack(std::size_t sweep) const {
        const auto tiles = static_cast<std::uint64_t>(phase_.tiles);
        std::int64_t equal = phase_.tiles;
        record::PathParts sum;
        factors_.visit_own(first_wave(sweep), tiles, [&](std::uint64_t wave) {
            sum += tile(factors_.largest(wave)).uncontended;
            --equal;
        });
        return sum + times(tile(factors_.largest_of_others()).uncontended, equal, "a stack of tiles");
    }

    const WavefrontPhase& phase_;
    const machine::Machine& machine_;
    const NeighbourLocalities& localities_;
    const WaveFactors& factors_;
};

}  // namespace

std::optional<std::string> not_heterogeneous(const Inputs& inputs) {
    if (inputs.unequal.classes.empty()) return "all ranks have one speed";
    if (!inputs.unequal.map.empty()) return "a cost map sets the work of ranks";
    return std::nullopt;
}

Prediction heterogeneous(const Inputs& inputs) {
    double mean = 0.0;
    double longest = 0.0;
    for (const SpeedClass& each : inputs.unequal.classes) {
        mean += each.share / each.speed;
        longest = std::max(longest, 1.0 / each.speed);
    }
    const NeighbourLocalities localities(inputs.machine);
    return over_phases(inputs.program, [&](const program::WavefrontPhase& phase) {
        Iteration iteration = iteration_of(slower(phase, longest), inputs.machine, localities);
        iteration.fill = fills(phase, tile_costs(slower(phase, mean), inputs.machine), localities);
        return iteration;
    });
}

WaveFactors::WaveFactors(const std::vector<CostFactor>& map, std::uint64_t ranks)
    : by_rank_(ranks, 1.0), order_(ranks) {
    for (const CostFactor& each : map) {
        if (each.wave) {
            own_[*each.wave][each.rank.index] = each.factor;
        } else {
            by_rank_[each.rank.index] = each.factor;
        }
    }
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) { return by_rank_[a] > by_rank_[b]; });
    sum_ = std::accumulate(by_rank_.begin(), by_rank_.end(), 0.0);
}

double WaveFactors::mean(std::uint64_t wave) const {
    double sum = sum_;
    if (const auto own = own_.find(wave); own != own_.end()) {
        for (const auto& [rank, factor] : own->second) sum += by_rank_[rank] * (factor - 1.0);
    }
    return sum / static_cast<double>(by_rank_.size());
}

double WaveFactors::largest(std::uint64_t wave) const {
    const auto own = own_.find(wave);
    if (own == own_.end()) return largest_of_others();
    double largest = 0.0;
    for (const auto& [rank, factor] : own->second) largest = std::max(largest, by_rank_[rank] * factor);
    const auto other = std::ranges::find_if(order_, [&](std::uint32_t rank) { return !own->second.contains(rank); });
    return other == order_.end() ? largest : std::max(largest, by_rank_[*other]);
}

std::optional<std::string> not_unequal_cells(const Inputs& inputs) {
    if (inputs.unequal.map.empty()) return "all cells cost the same";
    if (!inputs.unequal.classes.empty()) return "ranks have different speeds";
    return std::nullopt;
}

Prediction unequal_cells(const Inputs& inputs) {
    const NeighbourLocalities localities(inputs.machine);
    const WaveFactors factors(inputs.unequal.map, inputs.grid().ranks());
    return over_phases(inputs.program, [&](const WavefrontPhase& phase) {
        return UnequalIteration(phase, inputs, localities, factors).sum();
    });
}

}  // namespace warpfront::analytic
