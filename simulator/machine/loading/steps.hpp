// Three steps of building a machine (build.cpp), which follow the reading of the hardware file and precede the routes:
// growth, disks, and SMPI's costs. Also the notes on a hardware file. Each has its own source file.
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

// With `size: fit`, a network grows until its free hosts suffice for a placement. It must be a platform that is a
// single regular cluster, or a topology of the hardware file.
//   torus       torus_folding.hpp
//   flat        more hosts
//   fat tree    more subtrees of the top switches (the last of `children`). The levels below do not change, and neither
//               does the number of links up from each subtree
//   dragonfly   more groups, up to the blades of a chassis; if these do not suffice, more chassis per group. With
//               `global`: more groups, up to one more than the global ports of a group; if these do not suffice, one
//               chassis more per group, and so on
//   HyperX      its shortest dimension (the last of several) grows by one, repeatedly
//   random      more switches, in a new random graph with the same degree and seed
// A graph from an edge file does not grow.

/// Checks that the ranks need at most kMostNodes nodes. Otherwise adds an error and returns false.
bool check_node_count(std::uint64_t nodes, const RankRequest& request, Diagnostics& faults);

/// Grows `platform` and `machine` if the placement does not fit, and adds a note. Diagnostics: too_few_hosts,
/// cannot_grow, too_many_nodes, bad_topology, platform_limits.
void grow_to_fit(const HardwareFile& file, const RankRequest& request, Platform& platform, Machine& machine,
                 Diagnostics& faults);

// --- disks -----------------------------------------------------------------------------------------------------------

// Disks of a platform as cluster memory. The hardware file names the disks, and the SimGrid XML states their rates and
// their hosts. In SimGrid 3.32 only a `<host>` has disks. If two disks of a host have the same name, the last one
// counts.

/// Completes the servers of cluster memory: takes the rates and the number of the named disks from the platform, unless
/// the hardware file states them. `xml` is the platform; null for a topology, which has no disks. Diagnostics:
/// unknown_disk; bad_disk for rates that differ or are below one byte per second.
void use_disks(const std::vector<PlatformDisk>& disks, const SourceFilePtr& xml, HardwareFile& file,
               Diagnostics& faults);

/// Returns notes on the disks that the machine does not use.
std::vector<std::string> unused_disks(const std::vector<PlatformDisk>& disks, const SourceFilePtr& xml,
                                      const HardwareFile& file);

// --- costs as SMPI charges them --------------------------------------------------------------------------------------

// The costs of messages as SMPI 3.32 charges them, for a layer `network: {like: smpi}`. They follow from keys in the
// `<config>` of the platform.
//
// A message of S bytes over a route of latency l and lowest bandwidth b takes (SimGrid's sources smpi_request,
// smpi_host, network_cm02 and network_smpi):
//   sender    os(S) = a + c S before the message, if S < smpi/send-is-detached-thresh; otherwise until all bytes have
//             arrived
//   wire      l * lat(S + 16) + (S + 16) / (x * bw(S + 16)),  x = min(b', gamma / (2 l)). If
//             S < smpi/async-small-thresh, this begins when it is sent; otherwise when it is sent and received
//   receiver  or(S) = a + c S after it, if S < smpi/send-is-detached-thresh
// The envelope has 16 bytes. b' is b, or the bandwidth that crosstraffic leaves (RouteRates). gamma is
// network/TCP-gamma. os, or, lat and bw are piecewise functions of the size; each section applies above its threshold.
//
// The rows use lat and bw of their size. G = 1 / (x bw), but at least 1 / b, since no message is faster than its
// slowest link. An eager row (S < send-is-detached-thresh) takes o_send, G_send, o_recv and G_recv from os and or, and
// has L = l lat + 16 G. A rendezvous has none of these four; it has L = 0 and o_ack = l lat + 16 G, and its sender
// resumes when all bytes have arrived. If routes differ in latency, l is that of the nearest hosts, and
// `latency_factor` applies lat to the rest.
//
// Notes describe differences from SMPI. Nonblocking sends take smpi/ois. An eager message that is not below
// async-small-thresh waits for its receive before it travels.

/// Returns every ordered pair of hosts.
std::vector<HostPair> host_pairs(std::uint32_t hosts);

/// Fills in the layer `network` of `file` with SMPI's costs, sets the links whose latency L includes, and adds notes.
/// Diagnostics: no_route if no two hosts have a route, bad_link if the bandwidths of routes differ, platform_limits for
/// an irregular platform of more than kMostHostsPaired hosts, bad_xml_number for a wrong value of a key,
/// cost_too_large.
void use_smpi_costs(const PlatformXml& xml, const Platform& platform, PlatformLoader& loader, HardwareFile& file,
                    Diagnostics& faults);

// --- notes -----------------------------------------------------------------------------------------------------------

// Notes on keys of a hardware file that affect no message in any scenario, and on NICs that send more than their cables
// carry. `warpfront check` prints them (tools/program/checking/README.md lists them). Keys of a base by `like` are not
// examined, since a base serves several machines. A resource that no row uses is noted with every result, so this note
// is made when the file is read (hardware_file.hpp).

/// Returns true if the keys of this source are examined: a hardware file, or a scenario or argument that overrides it.
using IsExamined = std::function<bool(const SourceFilePtr&)>;

/// Returns one note per line, `FILE:LINE:COLUMN: ...`, grouped by subject. `machine` must be built from the hardware
/// file with its overrides, without errors. The routes of an irregular platform may be missing.
std::vector<std::string> lints(HardwareTree hardware, const HardwareOverrides& overrides, const Machine& machine,
                               const IsExamined& is_examined);

}  // namespace warpfront::machine
