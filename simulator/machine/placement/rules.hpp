// The rules that assign a host of the platform to each node (a patch of the process grid, machine/placement.hpp).
//   block   The grid of patches is folded into the torus. Neighbours remain neighbours if the dimensions allow it
//           (torus_folding.hpp). On other platforms this rule is equal to linear
//   linear  patch k is placed on the k-th host
//   random  patch k is placed on the k-th host of a random order, which the seed determines
//   file    a rank file lists the hosts (below)
// On a fragmented machine other jobs occupy hosts. With H hosts and a share S, these are the first floor(S * H) hosts
// of a random order that depends only on the seed and H. Linear and random skip the occupied hosts. Block moves only
// the nodes whose hosts are occupied. One after another, each moves to the next higher host that is neither occupied
// nor in use; after the last host the search continues at the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/placement.hpp"
#include "simulator/machine/placement/seats.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::machine {

/// A share of a whole, in [0, 1).
struct Share {
    double of_one = 0.0;
    friend constexpr bool operator==(Share, Share) = default;
};

/// Returns a random order of the hosts 0 .. hosts - 1. All orders are equally likely (Fisher & Yates). Step k draws
/// from the stream (seed, purpose, 0, k).
std::vector<Host> random_order(std::uint32_t hosts, Seed seed, Purpose purpose);

/// Returns, for each host, true if another job occupies it.
std::vector<bool> taken_hosts(std::uint32_t hosts, Share share, Seed seed);

/// Returns the number of hosts that no other job occupies.
std::uint64_t count_free_hosts(std::uint64_t hosts, Share share);

/// Returns the size of a machine with `free` free hosts, about free / (1 - share). Returns `most` + 1 if the size
/// exceeds `most`.
std::uint64_t hosts_needed(std::uint64_t free, Share share, std::uint64_t most);

enum class PlacementRule : std::uint8_t { block, linear, random, file };

/// The assignment of ranks to hosts, as a scenario states it.
struct PlacementRequest {
    PlacementRule rule = PlacementRule::block;
    Seed seed;                                   // seed of the rule `random` and of the hosts that other jobs occupy
    Share fragmentation;                         // share of all hosts that other jobs occupy; 0 for `file`
    std::filesystem::path rank_file;             // path of the rank file, for the rule `file`
    SourceRange range;                           // range of the name of the rank file, or of the fragmentation
    std::optional<Distribution> distribution{};  // distribution of ranks over nodes, in place of patches
    std::vector<ListedRanks> listed{};           // the host of each rank, in place of patches and rules
};

struct NodeHosts {
    std::vector<Host> host_of;    // host of each node
    std::uint32_t displaced = 0;  // number of nodes that had to leave their host of the rule `block`
};
/// Returns the host of each node by the placement rule, which must not be `file`. There must be enough free hosts.
/// `torus` contains the dimensions if the platform is a torus, and is empty otherwise.
NodeHosts allocate_hosts(const Placement& placement, const PlacementRequest& request, std::uint32_t hosts,
                         const std::vector<std::uint32_t>& torus);

/// Returns the host of each patch of a grid that is folded into a torus. The torus must have a host for each. Hosts are
/// numbered with the first dimension fastest.
std::vector<Host> fold(const Extents& array, const std::vector<std::uint32_t>& dimensions);

// A rank file lists the host of every node, one host number per line. Hosts are numbered from 0 in the order of the
// platform. Nodes are the patches of ranks, row by row and plane by plane. Text after `#` is a comment, and empty lines
// are ignored.

struct RankFile {
    SourceFilePtr source;
    std::vector<Host> host_of;         // host of each node
    std::vector<std::size_t> offsets;  // offset of each host number in the text
};

/// Reads a rank file. Throws BadInput if a line does not contain a host number.
RankFile read_rank_file(SourceFilePtr source);

/// Checks that the file lists `nodes` different hosts, with numbers below `hosts`. Otherwise adds an error and returns
/// false. Diagnostics: rank_file_length, out_of_range, host_taken_twice.
bool check_rank_file(const RankFile& file, std::uint32_t nodes, std::uint32_t hosts, Diagnostics& faults);

}  // namespace warpfront::machine
