// The steps of building a machine (build.cpp) between the hardware file and the routes: growth, disks, the costs of
// SMPI; and notes on the hardware file. Each step has a separate source file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/platform_loader.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/loading/xml_elements.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

// --- growth ----------------------------------------------------------------------------------------------------------

// Growth (`size: fit`): a platform that is a single regular cluster, or a topology of the hardware file, grows until
// its free hosts suffice for a placement.
//   torus       torus_folding.hpp
//   flat        more hosts
//   fat tree    more subtrees of the top switches (the last of `children`); the levels below stay, and so do the links
//               up from each subtree
//   dragonfly   more groups, up to the blades of a chassis; if these do not suffice, more chassis per group. With
//               `global`: more groups, up to one more than the global ports of a group; if these do not suffice, one
//               chassis more per group, and so on
//   HyperX      its shortest dimension, the last one of several, by one, repeatedly
//   random      more switches, drawn anew with the same degree and seed
// A graph from an edge file does not grow.

/// Returns false, and adds an error, if the ranks need more than kMostNodes nodes.
bool check_node_count(std::uint64_t nodes, const RankRequest& request, Diagnostics& faults);

/// Grows `platform` and `machine`, with a note, if the machine's placement does not fit. Diagnostics: too_few_hosts,
/// cannot_grow, too_many_nodes, bad_topology, platform_limits.
void grow_to_fit(const HardwareFile& file, const RankRequest& request, Platform& platform, Machine& machine,
                 Diagnostics& faults);

// --- disks -----------------------------------------------------------------------------------------------------------

// Cluster memory on the disks of a platform: a hardware file names the disks; the SimGrid XML states their rates, and
// which hosts have one. In SimGrid 3.32 only a `<host>` has disks. If two disks of a host have the same name, the last
// one counts.

/// Completes the servers of cluster memory from the platform: the rates and the number of the disks that the file
/// names, unless it states them itself. `xml` is the platform; null if the network is a topology, which has no disks.
/// Diagnostics: unknown_disk; bad_disk for rates that differ or are below a byte per second.
void use_disks(const std::vector<PlatformDisk>& disks, const SourceFilePtr& xml, HardwareFile& file,
               Diagnostics& faults);

/// Returns notes on the disks that the machine does not use.
std::vector<std::string> unused_disks(const std::vector<PlatformDisk>& disks, const SourceFilePtr& xml,
                                      const HardwareFile& file);

// --- costs as SMPI charges them --------------------------------------------------------------------------------------

// The costs of messages as SMPI 3.32 charges them: the layer `network: {like: smpi}` of a hardware file, from the keys
// in the `<config>` of its platform.
//
// A message of S bytes over a route of latency l and lowest bandwidth b (its sources smpi_request, smpi_host,
// network_cm02 and network_smpi):
//   sender    os(S) = a + c S before the message, if S < smpi/send-is-detached-thresh; else until all have arrived
//   wire      l * lat(S + 16) + (S + 16) / (x * bw(S + 16)),  x = min(b', gamma / (2 l)); from the moment at which it
//             is sent, if S < smpi/async-small-thresh; else at which it is received too, if later
//   receiver  or(S) = a + c S after it, if S < smpi/send-is-detached-thresh
// where 16 bytes are the envelope, b' is b or what crosstraffic leaves of it (RouteRates), gamma is network/TCP-gamma,
// and os, or, lat and bw are piecewise by size: a section holds above its threshold.
//
// The rows, with lat and bw of the size: G = 1 / (x bw), but no less than 1 / b: no message is faster than its slowest
// link. An eager row (S < send-is-detached-thresh) has os and or as o_send, G_send, o_recv, G_recv and L = l lat + 16
// G. A rendezvous has none of the four, L = 0, o_ack = l lat + 16 G, and its sender continues once all is received. If
// the routes differ in latency, l is that of the nearest hosts, and `latency_factor` applies lat to the rest.
//
// Differences to SMPI are noted: nonblocking sends take smpi/ois; an eager message that is not below async-small-thresh
// waits for its receive before it travels.

/// Returns every ordered pair of hosts.
std::vector<HostPair> host_pairs(std::uint32_t hosts);

/// Fills in the layer `network` of `file`, which has SMPI's costs, sets the links whose latency L includes, and adds
/// notes. Diagnostics: no_route (no two hosts have one), bad_link (routes of different bandwidths), platform_limits (an
/// irregular platform of more than kMostHostsPaired hosts), bad_xml_number (a value of a key), cost_too_large.
void use_smpi_costs(const PlatformXml& xml, const Platform& platform, PlatformLoader& loader, HardwareFile& file,
                    Diagnostics& faults);

// --- notes -----------------------------------------------------------------------------------------------------------

// Notes on parts of a hardware file that have no effect on any message in any scenario, and on NICs that send more than
// their cables carry; `warpfront check` prints them (tools/program/checking/README.md lists them). Keys that come from
// a base by `like` are not examined: a base serves several machines. Resources that no row uses are noted with every
// result, so they are noted when the file is read (hardware_file.hpp).

/// Returns true for the source of keys that are examined: a hardware file, a scenario or an argument that overrides it.
using IsExamined = std::function<bool(const SourceFilePtr&)>;

/// Returns one line per note, `FILE:LINE:COLUMN: ...`, grouped by subject. `machine` is built from the hardware file
/// and its overrides and has no errors; the routes of an irregular platform may be missing.
std::vector<std::string> lints(HardwareTree hardware, const HardwareOverrides& overrides, const Machine& machine,
                               const IsExamined& is_examined);

}  // namespace warpfront::machine
