// The adjustable parts of a scenario on the served page: each knob is a list of choices, and each choice sets keys of
// the scenario as `--set` does.
//
//   ranks           columns and rows (and planes, if there are several) halved and doubled together
//   cores           ranks per node, as patches from 1 x 1 to 4 x 4; machines with fewer cores get more
//   tile            planes of a tile: the parameter with the role tile_planes (psl/syntax/roles.hpp)
//   latency         L of every layer, and the latency of links
//   overhead        o of every layer, of the bus and of handshakes
//   bandwidth       the bandwidth of layers, bus, NICs and links
//   topology        that of the platform, or a generated one with a host for every node (TopologyKind)
//
// Latency, overhead and bandwidth are multiplied by 1/4 to 4, in steps of about the square root of 2.
//
// A knob is missing if the scenario has nothing that it could set: the ranks of traces are fixed, some models have no
// tile height. If the scenario itself sets a key to a quantity, the key keeps it; if the scenario sets a factor, the
// factors are multiplied.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/yaml.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/bytes.hpp"

namespace warpfront::tools {

// Generated networks for a number of nodes, as the key `topology` of a hardware file (platforms/README.md).

enum class TopologyKind : std::uint8_t { torus, fat_tree, dragonfly, hyperx };
inline constexpr std::array kTopologyKinds{TopologyKind::torus, TopologyKind::fat_tree, TopologyKind::dragonfly,
                                           TopologyKind::hyperx};

std::string_view name_of(TopologyKind kind);

/// Formats a topology with at least as many hosts as `nodes`, such as `{kind: torus, dimensions: [8, 8, 4], bandwidth:
/// 6000MBps, latency: 50ns}`. 50 ns per link is the assumption of models/studies/interconnects.yaml.
///   torus      three dimensions, doubled in turn
///   fat tree   full bisection: switches of 32 hosts, and of 32 switches each
///   dragonfly  groups of 4 chassis of 8 blades of 4 nodes, with 8 ports to other groups at each blade
///   hyperx     a lattice of three dimensions, doubled in turn, of switches with 8 hosts
std::string topology_for(TopologyKind kind, std::uint64_t nodes, Bandwidth bandwidth);

struct Choice {
    std::string label;
    std::vector<std::string> sets{};         // arguments of `--set`
    std::optional<TopologyKind> topology{};  // its size depends on the other knobs
};

struct Knob {
    std::string id;
    std::string label;
    std::string what;  // the part that it sets, in words
    std::vector<Choice> choices;
    std::size_t start = 0;  // the choice of the scenario itself, which sets nothing
};

/// A function that reads the scenario with further arguments of `--set`; throws BadInput.
using ReadScenario = std::function<scenario::Scenario(const std::vector<std::string>& sets)>;

/// Returns the knobs of a valid scenario on hosts with that many cores; each has at least two choices.
std::vector<Knob> knobs_of(const ReadScenario& read, std::uint32_t cores_of_machine);

}  // namespace warpfront::tools
