// The fit of a layer's tables: rows of a hardware file with the costs of messages by size (platforms/README.md).
//
// Pieces of the ping-pong's curve (curve.hpp) become rows. Half a round trip of a row, with the receive posted, is
//
//   eager       o_send + L + o_recv + S (G_send + G + G_recv)
//   rendezvous  o_send + 3 L + o_request + o_ack + o_recv + S (G_send + G + G_recv)
//
// which gives two sums. Tables of benchmark.c separate their terms. A line through the times of MPI_Isend or MPI_Send,
// whichever is shorter, gives o_send and G_send. A line through the times of MPI_Recv gives o_recv and G_recv. L and G
// are the rest. Terms that no table determines are assumptions, which each row names. If the threshold lies between two
// sizes, a row ends at it.
//
// In a stream of n pairs, a message takes c + n x(S) if a shared resource limits the stream. Here x is the occupancy of
// the resource by a message, and c the wait of a window of messages. So x is the time that a further pair adds, between
// the two largest numbers of pairs. The resource is saturated if x is at least `kSaturated` of the time per pair. The
// values x(S) are a curve (curve.hpp). Its first intercept is the time of a message without bytes, and its last slope
// the time of a byte. In the network the first is the gap g of the NIC, the inverse of its message rate, and the second
// its injection. Within a node both belong to the bus, which a message occupies twice.
//
// If no further pair can be compared, the last slope of the stream's own times is the time of a byte. If the pairs
// together are no faster than one, one pair saturates the resource. If only one pair was measured, its stream is a
// lower bound of the NIC. A stream of one pair within a node shares nothing with another and is not used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "tools/from_code/fitting/curve.hpp"
#include "tools/from_code/fitting/tables.hpp"

namespace warpfront::tools {

struct FittedRow {
    std::uint64_t from = 0;  // the smallest size measured
    std::optional<std::uint64_t> up_to{};
    std::uint64_t most = 0;  // the largest size measured
    bool rendezvous = false;
    double o_send = 0.0, o_recv = 0.0, o_request = 0.0, o_ack = 0.0, L = 0.0;  // seconds
    double G_send = 0.0, G = 0.0, G_recv = 0.0;                                // seconds per byte
    Piece piece{};
    std::vector<std::string> assumptions{};
};

/// A resource that the messages of streams share.
struct SharedResource {
    std::uint32_t pairs = 0;        // the largest number of pairs
    std::size_t saturated = 0;      // number of sizes at which the resource is saturated
    bool one_saturates = false;     // true if one pair is as fast as all, or if only one pair was measured
    Line hold{};                    // service time of one message, if `saturated` is not 0
    double deviation = 0.0;         // relative deviation of `hold` from the times, as root of the mean square
    double most_per_second = 0.0;   // largest measured bytes per second of all pairs together
    double faster_ping_pong = 0.0;  // bytes per second of the ping-pong, if much faster than the stream

    double per_second() const { return 1.0 / hold.slope; }
    bool binds_bytes() const { return saturated > 0 && hold.slope > 0.0; }
    /// Returns true if the fitted bandwidth exceeds every measured one by more than the deviation of the times.
    bool exceeds_measured() const { return binds_bytes() && per_second() > most_per_second * (1.0 + kNegligible); }
};

struct LayerFit {
    std::string layer;
    std::vector<BenchmarkTable> tables;
    std::vector<TimedMessage> messages;  // ping-pongs of all tables, by size
    FittedCurve curve;                   // the curve through these messages
    std::optional<std::uint64_t> threshold;
    bool threshold_given = false;  // true if the user gave the threshold, false if it was measured
    std::vector<FittedRow> rows;
    std::optional<SharedResource> shared;
    bool unused_streams = false;  // true if there is only a stream of one pair within a node
};

/// Costs that are not from the tables.
struct KnownCosts {
    std::optional<std::uint64_t> eager;  // limit of eager messages, in bytes
    std::optional<double> overhead;      // o_send and o_recv, in seconds
};

/// Fits a layer. Throws BadInput too_few_sizes if there are too few sizes, or if the largest messages take no longer
/// than the smallest, so that G cannot be determined. Throws BadInput out_of_range if there are more times than a curve
/// can have.
LayerFit fit_layer(std::string layer, std::vector<BenchmarkTable> tables, const KnownCosts& known);

}  // namespace warpfront::tools
