// Benchmark tables as text files, recognised by their text: tables of benchmark.c (in this folder), NetPIPE, OSU and
// IMB.
//
//   benchmark.c   comments (#), then CSV: kind,bytes,pairs,seconds
//   NetPIPE       np.out: bytes, Mbps (2^20 bits), seconds one way; the seconds have few digits, so the time is
//                 bytes / Mbps
//   OSU           "# OSU MPI Latency Test": bytes, us; "... Bandwidth Test": bytes, MB/s (10^6 bytes) of a stream;
//                 "... Multiple Bandwidth ..." with "# [ pairs: N ]": bytes, MB/s of all pairs, messages per second;
//                 builds for GPUs ("# OSU MPI-CUDA Latency Test"); further columns of `-f` (the first one is the
//                 average, then minimum, maximum, iterations) and of `--validation` are skipped
//   IMB           below "# Benchmarking PingPong": #bytes #repetitions t[usec] Mbytes/sec
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"

namespace warpfront::tools {

enum class Timed : std::uint8_t { pingpong, send, isend, recv, stream };

/// A row of a table. The time is half the round-trip time, the time of a call, or that of one message of a stream.
struct TimedMessage {
    Timed kind = Timed::pingpong;
    std::uint64_t bytes = 0;
    std::uint32_t pairs = 1;  // number of pairs that send at the same time
    double seconds = 0.0;     // above 0
    input::SourceRange range{};
};

struct BenchmarkTable {
    input::SourceFilePtr source;
    std::string_view format;  // one of "benchmark.c", "NetPIPE", "OSU", "IMB"
    std::vector<TimedMessage> messages;
    std::optional<std::uint64_t> threshold;  // the largest message whose Send returns while no receive is posted

    /// Returns the messages of a kind in ascending order of size.
    std::vector<TimedMessage> of_kind(Timed kind) const;
};

/// Reads a table. Diagnostics: unknown_table; ragged_row, bad_number, bad_choice, out_of_range (a time of 0 or less);
/// table_order if sizes of a kind do not ascend; table_units if a header names another unit, two columns contradict
/// each other, or a time is hundreds of times that of the size before.
BenchmarkTable read_benchmark_table(const input::SourceFilePtr& source, input::Diagnostics& faults);

}  // namespace warpfront::tools
