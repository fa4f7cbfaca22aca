// Roots of collectives that change with the iterations of a loop, such as the owner of the next panel of a distributed
// matrix.
//
//   (k - 1) % columns                        each rank in turn; k % columns if the second rank has the first panel
//   quotient(k - 1, width) % columns         each rank in turn, for several iterations
//   quotient((k - 1) * columns, count)       in blocks: each rank for as many iterations as it has panels
// k is the variable of the loop, from 1 to `count`.
//
// A root is a position along the row, the column or the pillar of a rank, or the number of a rank, from 0.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "simulator/collectives/collective.hpp"
#include "tools/from_code/learning/grid.hpp"
#include "tools/from_code/learning/occasions.hpp"
#include "tools/from_code/learning/partners.hpp"

namespace warpfront::learning {

bool has_root(collectives::Kind kind);

/// Returns the collectives whose roots change from execution to execution. At least one root must be neither the first
/// nor the last rank of its communicator.
Calls moving_roots(const std::vector<RunSteps>& runs);

/// The position of a root among the ranks of a group, and the number of these ranks.
struct RootPosition {
    std::uint32_t index = 0;  // counted from 0
    std::uint32_t of = 1;
    friend bool operator==(const RootPosition&, const RootPosition&) = default;
};
/// Returns the position of a root. Returns nothing for groups of several rows or columns.
std::optional<RootPosition> root_position(const RankGrid& grid, Group group, Rank root);

struct RootRule {
    enum class Kind : std::uint8_t { first, last, in_turn, in_blocks } kind = Kind::first;
    std::int64_t skipped = 1;  // of a rule in turn: iterations before that of the first rank
    Expression width{{}, 1};   // of a rule in turn: iterations of each rank, a constant or one parameter
    friend bool operator==(const RootRule&, const RootRule&) = default;
    bool counts_iterations() const { return kind == Kind::in_turn || kind == Kind::in_blocks; }
};
/// Returns the position of the root in an iteration. `of` is the number of ranks.
std::uint32_t root_index(const RootRule& rule, const Iteration& iteration, std::uint32_t of);

struct RootSample {
    Iteration iteration;
    RootPosition root;
};
struct FoundRoot {
    RootRule rule;
    std::vector<RootRule> rivals;  // other rules that agree with all samples
};
/// Finds the simplest rule that agrees with all samples. Returns nothing if there is none.
std::optional<FoundRoot> root_rule(const std::vector<RootSample>& samples, const Variables& variables);

/// Formats the position in PSL. `of` is the number of ranks, `counter` the variable of the loop, and `last` its last
/// value.
std::string text_of(const RootRule& rule, const Variables& variables, const std::string& of, const std::string& counter,
                    const std::string& last);

}  // namespace warpfront::learning
