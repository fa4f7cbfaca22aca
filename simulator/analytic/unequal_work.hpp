// Heterogeneous work of ranks or cells in the plug-and-play model (Mudalige 2009, section 7.4). Ranks are placed on
// nodes as in the closed form `cmp` (plug_and_play.hpp).
//
// Ranks of different speed (`heterogeneous`). A share P_r of the ranks works W_r on a tile:
//
//   fill   W replaced by sum P_r W_r, the mean: a front crosses ranks of all kinds
//   stack  W replaced by max W_r: in the steady state the slowest rank sets the pace
//
// W_r = W / speed of the class, and W_pre in the same way; other compute of an iteration takes as long as on the
// slowest. This is an approximation: whether a slow rank delays the front depends on its position, which the event
// engine simulates.
//
// Cells of unequal cost (`unequal-cells`). Rank (i, j) works f(i, j, t) * W on tile t of a sweep, f from the scenario's
// cost map:
//
//   T_stack = sum over steps t of [ max Recv_W + max Send_E + max Recv_N + max Send_S + max (W_ij + Wpre_ij) ] - W_pre
//   fill    = as for ranks of different speed: W replaced by the mean over all ranks, of the sweep's first tile
//
// Each maximum is over all ranks, as if one path crossed the slowest rank of every step, so T_stack is an upper bound;
// the event engine has the exact result. Maxima of messages are those of a rank at a node's edge, as in every T_stack
// here. The W_pre subtracted is that of the first tile, which is part of the fill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/analytic/phases.hpp"

namespace warpfront::analytic {

/// Returns the reason why the form does not apply, or nothing: the scenario has no classes of ranks, or a cost map.
std::optional<std::string> not_heterogeneous(const Inputs& inputs);

/// Predicts a run by `heterogeneous`. Throws BadInput (closed_form_overflow).
Prediction heterogeneous(const Inputs& inputs);

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
    /// Returns the largest factor of all other waves.
    double largest_of_others() const { return by_rank_[order_.front()]; }

private:
    std::vector<double> by_rank_;
    std::vector<std::uint32_t> order_;                              // ranks by descending factor
    double sum_ = 0.0;                                              // of by_rank_
    std::map<std::uint64_t, std::map<std::uint32_t, double>> own_;  // by wave, then rank
};

/// Returns the reason why the form does not apply, or nothing: the scenario has no cost map, or classes of ranks.
std::optional<std::string> not_unequal_cells(const Inputs& inputs);

/// Predicts a run by `unequal-cells`. Throws BadInput (closed_form_overflow).
Prediction unequal_cells(const Inputs& inputs);

}  // namespace warpfront::analytic
