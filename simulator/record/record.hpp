// What a run of an engine says: plain data, filled by the event engine or a closed form, read by results/.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::record {

/// Where one rank's time went. The parts add up to its final time exactly.
///   compute     basic blocks
///   send, recv  busy in o_send (+ S*G_send), o_recv (+ S*G_recv)
///   wait        blocked on a message, a rendezvous or its partner being late
///   bus_wait    queued for the node's bus (sender's and receiver's side)
///   nic_wait    queued for the NIC to send; of a wait for a message, what the message queued for the receiver's NIC
///   link_wait   of a wait for a message, what the message queued for links; of a send over circuits, queued for them
///   collective  everything between entering and leaving a collective
struct Breakdown {
    WideTime compute, send, recv, wait, bus_wait, nic_wait, link_wait, collective;
    WideTime total() const;
};

/// The parts in the order in which every table and file lists them.
struct BreakdownPart {
    std::string_view name;
    WideTime Breakdown::*time;
};
inline constexpr std::array kBreakdownParts{
    BreakdownPart{"compute", &Breakdown::compute},     BreakdownPart{"send", &Breakdown::send},
    BreakdownPart{"recv", &Breakdown::recv},           BreakdownPart{"wait", &Breakdown::wait},
    BreakdownPart{"bus wait", &Breakdown::bus_wait},   BreakdownPart{"nic wait", &Breakdown::nic_wait},
    BreakdownPart{"link wait", &Breakdown::link_wait}, BreakdownPart{"collective", &Breakdown::collective}};
static_assert(sizeof(Breakdown) == kBreakdownParts.size() * sizeof(WideTime), "every part is listed");

inline WideTime Breakdown::total() const {
    WideTime sum;
    for (const BreakdownPart& part : kBreakdownParts) sum += this->*part.time;
    return sum;
}

struct Work {
    std::uint64_t messages = 0;                 // point-to-point messages of the model (collectives not counted)
    std::uint64_t messages_replayed = 0;        // those stepped through one by one
    std::uint64_t messages_of_collectives = 0;  // stepped likewise
    std::optional<std::uint64_t> events;        // event engine: turns of ranks plus timed requests handled
    double wall_s = 0.0;
    double cpu_s = 0.0;                        // of the threads of this run
    std::uint64_t peak_rss_bytes = 0;          // of the process, whatever else ran in it
    std::optional<std::uint64_t> state_bytes;  // event engine: ranks, channels and queues
    unsigned threads = 1;
};

/// What all messages together waited for one link.
struct LinkWait {
    std::string link;  // what it is called
    WideTime waited;
    friend bool operator==(const LinkWait&, const LinkWait&) = default;
};

/// Waiting for links of all messages, of collectives too. Only where links are shared.
struct LinkWaits {
    static constexpr std::size_t kMostNamed = 5;
    WideTime all;
    std::vector<LinkWait> hottest;  // those most waited for, if any were; of several the lower numbers first
    friend bool operator==(const LinkWaits&, const LinkWaits&) = default;
};

struct Record {
    std::string engine;                                         // "event", "analytic", "simgrid"
    WideTime finish;                                            // of the rank that finishes last
    std::vector<std::pair<WideTime, std::int64_t>> iterations;  // durations, equal neighbours run-length coded
    std::optional<Rank> last;                                   // finishes last; of several the lowest
    std::optional<Breakdown> breakdown;                         // of `last`
    std::optional<LinkWaits> link_waits;
    std::vector<WideTime> rank_finish;  // by rank; empty for a closed form
    std::optional<Work> work;           // stepped engines only
    std::vector<std::string> notes;     // skip-ahead used, approximations
};

/// One blocked rank of a deadlock.
struct Blocked {
    Rank rank;
    Rank peer;  // whom it waits for
    std::int32_t tag = 0;
    std::uint16_t site = 0;  // the statement it stands at: index into Program::sites
    enum class What : std::uint8_t { recv, send, collective } what = What::recv;
    WideTime since;
};

}  // namespace warpfront::record
