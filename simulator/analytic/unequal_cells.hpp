// Cells of unequal cost in the plug-and-play model (Mudalige 2009, section 7.4). Rank (i, j) works f(i, j, t) * W on
// tile t of a sweep, f from the scenario's cost map:
//
//   T_stack = sum over steps t of [ max Recv_W + max Send_E + max Recv_N + max Send_S + max (W_ij + Wpre_ij) ] - W_pre
//   fill    = as in heterogeneous.hpp: W replaced by the mean over all ranks, of the sweep's first tile
//
// Each maximum is over all ranks, as if the slowest of every step were met on one path, so T_stack is an upper bound;
// the event engine has the exact answer. Maxima of messages are those of a rank at a node's edge, as in every T_stack
// here. The W_pre subtracted is the first tile's, which the fill has. Ranks stand on nodes as in cmp.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analytic/inputs.hpp"
#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

/// The factors of all ranks by wave. Waves count tiles from 0, continuing from sweep to sweep of an iteration.
class WaveFactors {
public:
    WaveFactors(const std::vector<CostFactor>& map, std::uint64_t ranks);

    double mean(std::uint64_t wave) const;
    double largest(std::uint64_t wave) const;
    /// Calls `visit` with each wave of [first, first + count) that has factors of its own, ascending.
    template <typename Visit>
    void visit_own(std::uint64_t first, std::uint64_t count, const Visit& visit) const {
        for (auto at = own_.lower_bound(first); at != own_.end() && at->first - first < count; ++at) visit(at->first);
    }
    /// The largest factor of all other waves.
    double largest_of_others() const { return by_rank_[order_.front()]; }

private:
    std::vector<double> by_rank_;
    std::vector<std::uint32_t> order_;                              // ranks by descending factor
    double sum_ = 0.0;                                              // of by_rank_
    std::map<std::uint64_t, std::map<std::uint32_t, double>> own_;  // by wave, then rank
};

/// Nothing, or why the form does not apply: the scenario has no cost map, or classes of ranks.
std::optional<std::string> not_unequal_cells(const Inputs& inputs);

/// Throws BadInput (closed_form_overflow).
Prediction unequal_cells(const Inputs& inputs);

}  // namespace warpfront::analytic
