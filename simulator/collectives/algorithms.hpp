// The algorithm of each MPI collective on a machine: `collectives` of a hardware file (platforms/README.md).
// exchanges.hpp has the messages of each. They may depend on the size and on the number of ranks, as they do in MPI
// libraries: of the rules of a collective the first that applies counts.
//
// `like: smpi` starts from the algorithms of SMPI 3.32's selector `default`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/collectives/collective.hpp"

namespace warpfront::collectives {

enum class Algorithm : std::uint8_t {
    dissemination,
    linear,
    binomial,
    recursive_doubling,
    reduce_bcast,
    ring,
    pairwise,
    bruck,
    open_mpi,
    reduce_then_scatter
};
std::string_view name_of(Algorithm algorithm);

/// Applies to collectives of at most so many bytes (Collective::bytes) and ranks.
struct Rule {
    Algorithm algorithm = Algorithm::linear;
    std::optional<Bytes> up_to{};
    std::optional<std::uint32_t> ranks{};
    friend bool operator==(const Rule&, const Rule&) = default;
};

class Algorithms {
public:
    Algorithms();  // the first that is offered of each
    static Algorithms of_smpi();

    Algorithm of(Kind kind, Bytes bytes, std::uint32_t ranks) const;
    const std::vector<Rule>& rules(Kind kind) const { return rules_[static_cast<std::size_t>(kind)]; }
    /// The last rule has no limits.
    void set(Kind kind, std::vector<Rule> rules) { rules_[static_cast<std::size_t>(kind)] = std::move(rules); }
    void set(Kind kind, Algorithm algorithm) { set(kind, std::vector<Rule>{{algorithm}}); }

private:
    std::array<std::vector<Rule>, kKinds> rules_;
};

/// The algorithms of a collective that a hardware file may name; the first is the default.
struct Offer {
    Kind kind;
    std::vector<Algorithm> algorithms;
    Algorithm smpi;  // the choice of SMPI's selector `default`
};
const std::vector<Offer>& offers();

}  // namespace warpfront::collectives
