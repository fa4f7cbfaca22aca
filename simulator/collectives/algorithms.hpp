// The algorithm of each MPI collective on a machine: `collectives` of a hardware file (platforms/README.md).
// exchanges.hpp lists the messages of each algorithm. Rules select an algorithm by size and number of ranks, as in MPI
// libraries: the first rule that applies is used.
//
// `like` selects the rules of a library (decisions.cpp): SMPI 3.32, Open MPI 4.1 or MPICH 4.
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
    sequential,
    linear_sync,
    scattered,
    binomial,
    binomial_doubling,
    knomial,
    binary,
    in_order_binary,
    split_binary,
    chain,
    ring,
    neighbour_exchange,
    bruck,
    pairwise,
    pairwise_xor,
    hypercube,
    recursive_doubling,
    recursive_halving,
    butterfly,
    rabenseifner,
    halving_doubling,
    scatter_allgather,
    scatter_ring,
    reduce_bcast,
    gather_bcast,
    reduce_then_scatter,
    reduce_then_scatterv
};
inline constexpr std::size_t kAlgorithms = 29;
std::string_view name_of(Algorithm algorithm);

/// A condition of a rule, in addition to its limits.
enum class Condition : std::uint8_t {
    none,
    power_of_two,            // the number of ranks is a power of two
    equal_shares,            // the shares of all members are equal
    fewer_elements,          // there are fewer elements than ranks
    fewer_elements_by_power  // there are fewer elements than ranks, with the ranks rounded down to a power of two
};

/// An algorithm for the collectives within all limits of the rule. Limits are inclusive.
struct Rule {
    Algorithm algorithm = Algorithm::linear;
    std::optional<Bytes> up_to{};  // limit of Sizes::each
    std::optional<std::uint32_t> ranks{};
    std::optional<Bytes> total{};
    std::optional<std::int64_t> elements{};
    Condition condition = Condition::none;
    friend bool operator==(const Rule&, const Rule&) = default;
};

enum class Library : std::uint8_t { smpi, open_mpi, mpich };
inline constexpr std::array<std::string_view, 3> kLibraries{"smpi", "open_mpi", "mpich"};

/// The algorithm of one collective, and the rule that selected it.
struct Choice {
    Algorithm algorithm = Algorithm::linear;
    /// algorithm in the rule; `algorithm` differs if the rule's one does not support this number of ranks
    Algorithm named = Algorithm::linear;
    const std::string* rule = nullptr;  // description of the rule, owned by Algorithms
};
/// Returns the reason for the algorithm, such as "Open MPI 4.1: up to 8191 B on 8 to 15 ranks".
std::string reason_of(const Choice& choice);

class Algorithms {
public:
    /// Uses the default algorithm of each operation, the first one in `offers`.
    Algorithms();
    static Algorithms like(Library library);

    Choice choose(const Collective& collective, std::uint32_t members) const;
    const std::vector<Rule>& rules(Kind kind) const { return of(kind).rules; }
    /// Replaces the rules of an operation. The last rule must have no limits. Reasons begin with `source`.
    void set(Kind kind, std::vector<Rule> rules, std::string_view source = "hardware file");
    void set(Kind kind, Algorithm algorithm) { set(kind, std::vector<Rule>{{algorithm}}); }

private:
    struct OfKind {
        std::vector<Rule> rules;
        std::vector<std::string> words;  // description of each rule
    };
    const OfKind& of(Kind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }

    std::array<OfKind, kKinds> kinds_;
};

/// Returns the rules of Open MPI (open_mpi.cpp).
std::vector<Rule> open_mpi_rules(Kind kind);

/// The algorithms that a hardware file may name for a collective. The first is the default.
struct Offer {
    Kind kind;
    std::vector<Algorithm> algorithms;
};
const std::vector<Offer>& offers();

}  // namespace warpfront::collectives
