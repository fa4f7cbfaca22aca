// What changes while the engine steps: one cache line per rank, 24 bytes per channel, one server per node.
//
// A rank is in one of these states; its clock means:
//   running         in the ready queue or being stepped      when its next instruction starts
//   sending         blocked in a handshake send              when its request was out
//   receiving       blocked in a receive                     when it began to wait
//   asks_to_send    wants its node's bus for a message out   the request time
//   asks_to_receive wants its node's bus for a message in    the request time
//   at_mark         held at the end of an iteration (only where nothing is shared; see recurrence.hpp)
//   done            has finished                             when
// Blocking MPI means a rank has at most one timed request, so pending requests need no storage of their own.
//
// A message's age, the second key of the event order after time, is its statement's position in the sender's program:
// iteration, wave (loop trips within the iteration), statement. Older waves are served first. The fields wrap; with
// fewer than 2^28 iterations and 2^20 waves the order is the program's, beyond that it is still a fixed total order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/engine/layout.hpp"
#include "simulator/network/server.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

enum class RankState : std::uint8_t { running, sending, receiving, asks_to_send, asks_to_receive, at_mark, done };

inline constexpr unsigned kWaveBits = 20;
inline constexpr unsigned kSiteBits = 16;

struct alignas(64) RankLine {
    std::int64_t clock = 0;        // picoseconds; see above
    std::uint64_t wave = 0;        // iteration << kWaveBits | wave
    std::uint64_t request_age = 0;  // of the message the timed request is for
    std::uint32_t at = 0;          // next or current instruction
    std::uint32_t request_cost = 0;
    std::array<std::uint32_t, program::kMaxLoopDepth> trips_left{};  // including the present one
    std::uint32_t node = 0;
    std::uint32_t first_outlet = 0;
    std::uint32_t first_inlet = 0;
    std::uint16_t micro = 0;       // 0 outside collectives, else 1 + 3 * step + (0 post, 1 send, 2 await)
    RankState state = RankState::running;
};
static_assert(sizeof(RankLine) == 64);

/// One (source, destination, tag): the message at its head, further ones queued behind it in order. Lives with the
/// receiver. `time` means: posted = when the receive was posted; request = when the handshake's request arrives;
/// matched = nothing yet; data = when the data arrives.
enum class ChannelState : std::uint8_t { empty, posted, request, matched, data };

struct Message {
    std::int64_t time = 0;
    std::uint64_t age = 0;
    std::uint32_t cost : 24 = 0;
    std::uint32_t state : 7 = 0;    // a ChannelState
    std::uint32_t awaited : 1 = 0;  // the receiver is blocked on this channel
    std::uint32_t next = kNone;     // the message behind it, in Backlog
};
static_assert(sizeof(Message) == 24);

/// Messages behind the head of their channel, linked in order; freed entries are used again.
class Backlog {
public:
    std::uint32_t put(const Message& message);
    const Message& at(std::uint32_t index) const { return messages_[index]; }
    Message& at(std::uint32_t index) { return messages_[index]; }
    void free(std::uint32_t index);
    std::uint64_t bytes() const { return (messages_.capacity() + free_.capacity()) * sizeof(Message); }

private:
    std::vector<Message> messages_;
    std::vector<std::uint32_t> free_;
};

/// What a rank gathers that its program does not tell: time computing (where noise is on), busy receiving (the sender
/// chose the size), queued for the bus, inside collectives.
struct Gathered {
    std::int64_t compute = 0;
    std::int64_t busy_recv = 0;
    std::int64_t bus_wait = 0;
    std::int64_t collective = 0;
};

struct State {
    explicit State(const Layout& layout);

    std::vector<RankLine> ranks;
    std::vector<Message> channels;
    std::vector<network::Server> buses;  // by node
    std::vector<Gathered> gathered;      // by rank
    Backlog backlog;

    std::uint64_t bytes() const;
};

}  // namespace warpfront::engine
