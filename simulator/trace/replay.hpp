// What `smpirun -replay` needs besides the traces to charge messages as a profile does, as far as SMPI can.
//
// The platform is one host of 1 Tflop/s per rank, joined by wires that nobody shares: latency 1 us, 1 GB/s. SMPI's
// factors and overheads, all piecewise by message size, make of these the rows of the layer `network`:
//   smpi/lat-factor   L / 1 us              smpi/os, ois   o_send
//   smpi/bw-factor    (1 / G) / 1 GB/s      smpi/or        o_recv + S*G_recv
//   smpi/async-small-thresh and send-is-detached-thresh: up to where messages are eager, starting from the smallest
// What SMPI does otherwise: a message carries 16 more bytes; a rendezvous is one latency, its sender goes on only when
// all has arrived, and its receiver pays no o_recv; all pairs of ranks are equally far apart; nothing is shared.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/machine/profile.hpp"

namespace warpfront::trace {

std::string platform_text(std::uint32_t ranks);
std::string hosts_text(std::uint32_t ranks);
std::string list_text(std::uint32_t ranks);

/// A shell script that replays the traces of the folder it lies in.
std::string script_text(std::uint32_t ranks, const machine::Profile& network);

/// Of the file with a rank's trace, within the folder.
std::string trace_name(std::uint32_t rank);

inline constexpr const char* kListName = "traces.txt";
inline constexpr const char* kPlatformName = "platform.xml";
inline constexpr const char* kHostsName = "hosts.txt";
inline constexpr const char* kScriptName = "replay";

}  // namespace warpfront::trace
