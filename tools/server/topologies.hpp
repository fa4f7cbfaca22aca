// Networks by rule for a number of nodes, as the key `topology` of a hardware file (platforms/README.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/units/bytes.hpp"

namespace warpfront::tools {

enum class TopologyKind : std::uint8_t { torus, fat_tree, dragonfly, hyperx };
inline constexpr std::array kTopologyKinds{TopologyKind::torus, TopologyKind::fat_tree, TopologyKind::dragonfly,
                                           TopologyKind::hyperx};

std::string_view name_of(TopologyKind kind);

/// `{kind: torus, dimensions: [8, 8, 4], bandwidth: 6000MBps, latency: 50ns}` with at least as many hosts as `nodes`.
/// 50 ns per link is the assumption of models/studies/interconnects.yaml.
///   torus      three dimensions, doubled in turn
///   fat tree   full bisection: switches of 32 hosts, and of 32 switches each
///   dragonfly  groups of 4 chassis of 8 blades of 4 nodes, with 8 ports to other groups at each blade
///   hyperx     a lattice of three dimensions, doubled in turn, of switches with 8 hosts
std::string topology_for(TopologyKind kind, std::uint64_t nodes, Bandwidth bandwidth);

}  // namespace warpfront::tools
