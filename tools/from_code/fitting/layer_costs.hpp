// The fit of a layer's tables: rows of a hardware file with the costs of messages by size (platforms/README.md).
//
// Pieces of the ping-pong's curve (curve.hpp) become rows. Half a round trip of a row, with the receive posted, is
//
//   eager       o_send + L + o_recv + S (G_send + G + G_recv)
//   rendezvous  o_send + 3 L + o_request + o_ack + o_recv + S (G_send + G + G_recv)
//
// which gives two sums. Tables of benchmark.c separate their terms: lines through the times of MPI_Isend or MPI_Send
// (the shorter) are o_send and G_send, lines through those of MPI_Recv are o_recv and G_recv; L and G are the rest.
// Terms that no table determines are assumptions, which each row names. If the threshold lies between two sizes, a row
// ends at it.
//
// In a stream of n pairs, a message takes c + n x(S) if a shared resource limits the stream. Here x is the occupancy of
// the resource by a message, and c the wait of a window of messages. So x is the time that a further pair adds, between
// the two largest numbers of pairs. The resource is saturated if that is `kSaturated` of the time per pair. These x
// over sizes are a curve (curve.hpp): its first intercept is the time of a message without bytes, its last slope that
// of a byte. In the network these are the gap g between messages at the NIC, the inverse of its message rate, and its
// injection. Within a node, where a message occupies the bus twice, both belong to the bus.
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
    std::uint32_t pairs = 0;        // the largest number
    std::size_t saturated = 0;      // sizes
    bool one_saturates = false;     // one pair is as fast as all; with one pair, presumably
    Line hold{};                    // of one message; if `saturated`
    double deviation = 0.0;         // of it from the times: root of the mean square, relative
    double most_per_second = 0.0;   // bytes of all pairs together, the largest measured
    double faster_ping_pong = 0.0;  // bytes per second of the ping-pong, if much above the stream's

    double per_second() const { return 1.0 / hold.slope; }
    bool binds_bytes() const { return saturated > 0 && hold.slope > 0.0; }
    /// Returns true if the fitted bandwidth exceeds every measured one by more than the deviation of the times.
    bool exceeds_measured() const { return binds_bytes() && per_second() > most_per_second * (1.0 + kNegligible); }
};

struct LayerFit {
    std::string layer;
    std::vector<BenchmarkTable> tables;
    std::vector<TimedMessage> messages;  // ping-pongs of all tables, by size
    FittedCurve curve;                   // of them
    std::optional<std::uint64_t> threshold;
    bool threshold_given = false;  // by the user, else measured
    std::vector<FittedRow> rows;
    std::optional<SharedResource> shared;
    bool unused_streams = false;  // of one pair within a node
};

/// Costs known from other sources than the tables.
struct KnownCosts {
    std::optional<std::uint64_t> eager;  // the library's limit
    std::optional<double> overhead;      // o_send and o_recv each, in seconds
};

/// Fits a layer. Throws BadInput: too_few_sizes, also if the largest sizes take no longer than the smallest, so that
/// nothing determines G; out_of_range for more times than a curve can have.
LayerFit fit_layer(std::string layer, std::vector<BenchmarkTable> tables, const KnownCosts& known);

}  // namespace warpfront::tools
