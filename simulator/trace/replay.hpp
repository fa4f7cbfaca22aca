// The settings of `smpirun -replay` that charge messages according to a profile, within the limits of SMPI.
//
// The platform is one host of 1 Tflop/s per rank. Private links join the hosts: latency 1 us, 1 GB/s. SMPI's factors
// and overheads, piecewise by message size, turn these into the rows of the locality `network`:
//   smpi/lat-factor   L / 1 us              smpi/os, ois   o_send
//   smpi/bw-factor    (1 / G) / 1 GB/s      smpi/or        o_recv + S*G_recv
// where G is that of the slowest wire between nodes if it is slower (network::transfer_gap).
//   smpi/async-small-thresh and send-is-detached-thresh: the largest eager size, if eager sizes begin at the smallest
// Differences of SMPI: a message carries 16 more bytes; a rendezvous costs one latency, its sender continues only after
// the arrival of all bytes (`sender_goes_on: received` of a hardware file; then real codes' times agree, see
// tests/end_to_end/recorded_traces_test.cpp), a blocking one pays no o_send, and its receiver pays no o_recv; all pairs
// of ranks are equally far apart; nothing is shared.
#pragma once

#include <cstdint>
#include <string>

#include "simulator/machine/profile.hpp"

namespace warpfront::trace {

std::string platform_text(std::uint32_t ranks);
std::string hosts_text(std::uint32_t ranks);
std::string list_text(std::uint32_t ranks);

/// Returns a shell script that replays the traces in its own folder.
std::string script_text(std::uint32_t ranks, const machine::Profile& network);

/// Returns the name of a rank's trace file within the folder.
std::string trace_name(std::uint32_t rank);

inline constexpr const char* kListName = "traces.txt";
inline constexpr const char* kPlatformName = "platform.xml";
inline constexpr const char* kHostsName = "hosts.txt";
inline constexpr const char* kScriptName = "replay";

}  // namespace warpfront::trace
