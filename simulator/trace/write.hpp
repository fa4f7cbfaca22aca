// Writes a program as SimGrid's time-independent traces: one text per rank with one action per line, as `smpirun
// -replay` reads them. A picosecond of computing is written as a flop, on hosts of 1 Tflop/s.
//
//   RANK init                    first
//   RANK compute PS
//   RANK send PEER TAG BYTES     blocking
//   RANK recv PEER TAG BYTES
//   RANK irecv PEER TAG BYTES
//   RANK isend PEER TAG BYTES
//   RANK wait FROM TO TAG        the IR's wait_recv or wait_send
//   RANK finalize                last
//
// Loops are unrolled, allreduces are written as their messages (collectives/recursive_doubling.hpp), and the ends of
// iterations (Op::iteration) are left out. Tags are renumbered from 0 in ascending order, since MPI has no negative
// tags; the tags of the steps of allreduces follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/collectives/recursive_doubling.hpp"
#include "simulator/machine/profile.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/random.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::trace {

class Writer {
public:
    /// Makes a writer; `program` must outlive it. Blocks have the durations that `noise` gives them, without periodic
    /// noise: periodic noise depends on the time at which a block begins, and a trace has no times.
    explicit Writer(const program::Program& program, variation::Noise noise = {}, Seed seed = {});

    /// Returns the number of lines of all ranks; throws std::overflow_error if they cannot be counted.
    std::uint64_t lines() const;

    /// Returns the text of a rank. Throws std::overflow_error if a block, including noise, is too long.
    std::string text_of(Rank rank) const;

private:
    const program::Program& program_;
    variation::ComputeTime compute_time_;
    collectives::RecursiveDoubling doubling_;
    std::vector<std::int32_t> tags_;  // tags of the program, ascending
};

// The settings of `smpirun -replay` that charge messages according to a profile, within the limits of SMPI.
//
// The platform has one host for each rank, of 1 Tflop/s each. Private links of 1 GB/s with a latency of 1 us join the
// hosts. SMPI's factors and overheads, piecewise by message size, turn these into the rows of the locality `network`:
//   smpi/lat-factor   L / 1 us              smpi/os, ois   o_send + S*G_send
//   smpi/bw-factor    (1 / G) / 1 GB/s      smpi/or        o_recv + S*G_recv
// where G is the time per byte of the slowest wire between nodes if this is longer (network::transfer_gap).
//   smpi/async-small-thresh and send-is-detached-thresh: the largest eager size, if eager sizes begin at the smallest
// Differences of SMPI:
//   - a message carries 16 more bytes
//   - a rendezvous costs one latency; its sender continues only after the arrival of all bytes, as with
//     `sender_goes_on: received` in a hardware file (tests/end_to_end/recorded_traces_test.cpp compares codes with it)
//   - a blocking rendezvous costs no o_send, and its receiver no o_recv
//   - all pairs of ranks are equally far apart, and nothing is shared

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
