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
#pragma once

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/platform.hpp"
#include "simulator/machine/loading/platform_loader.hpp"
#include "simulator/machine/loading/xml_elements.hpp"

namespace warpfront::machine {

/// Fills in the layer `network` of `file`, which has SMPI's costs, sets the links whose latency L includes, and adds
/// notes. Diagnostics: no_route (no two hosts have one), bad_link (routes of different bandwidths), platform_limits (an
/// irregular platform of more than kMostHostsPaired hosts), bad_xml_number (a value of a key), cost_too_large.
void use_smpi_costs(const PlatformXml& xml, const Platform& platform, PlatformLoader& loader, HardwareFile& file,
                    input::Diagnostics& faults);

}  // namespace warpfront::machine
