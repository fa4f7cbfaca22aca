// Heterogeneous work of ranks or cells in the plug-and-play model (Mudalige 2009, section 7.4). Ranks are placed on
// nodes as in the closed form `cmp` (plug_and_play.hpp).
//
// `heterogeneous` is for ranks of different speed. A share P_r of the ranks computes a tile in the time W_r:
//
//   fill   W is replaced by the mean, sum P_r W_r, since a wavefront crosses ranks of all classes
//   stack  W is replaced by max W_r, since in the steady state the slowest rank determines the rate
//
// W_r is W / speed of the class; W_pre is treated in the same way. Other computing of an iteration takes as long as on
// the slowest class. This is an approximation: in the event engine, the delay by a slow rank depends on the rank's
// position.
//
// `unequal-cells` is for cells of different cost. Rank (i, j) computes tile t of a sweep in the time f(i, j, t) * W.
// The scenario's cost map contains f.
//
//   T_stack = sum over steps t of [ max Recv_W + max Send_E + max Recv_N + max Send_S + max (W_ij + Wpre_ij) ] - W_pre
//   fill    = as for ranks of different speed: W replaced by the mean over all ranks, of the sweep's first tile
//
// Each maximum is over all ranks, as if one path crossed the slowest rank of every step. So T_stack is an upper bound;
// the event engine computes the exact result. The maxima of messages are those of a rank at the edge of a node, as in
// T_stack of all closed forms. The subtracted W_pre is that of the first tile, which is part of the fill.
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

/// The factors of all ranks by wave. Waves number the tiles of all sweeps of an iteration, from 0.
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
