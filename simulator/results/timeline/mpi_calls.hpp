// A timeline as calls of MPI and messages between them, for formats that represent programs by their calls (OTF2,
// Paraver).
//
// A call is the uninterrupted activity of a rank in one statement that computes nothing: it waits, sends, receives. Its
// name follows from the instructions of the statement; one that both sends and receives is MPI_Sendrecv. A statement
// that is executed again without a break is the same call.
//
// A message is sent by the latest span of sending, of a statement that sends on its channel, which begins before the
// message leaves: a channel has one message at a time between its isend and its leaving. It is received by the span
// that begins to take it. If that takes no time, there is no span, and the end of the message stands alone. Messages of
// collectives are part of the collective's call and not listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/record/timeline.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::results {

enum class MpiFunction : std::uint8_t { send, ssend, isend, recv, irecv, wait, waitany, sendrecv, allreduce };
std::string_view name_of(MpiFunction function);

struct MpiCall {
    MpiFunction function = MpiFunction::send;
    std::uint16_t site = 0;  // statement of the call
    Time begin;
    Time end;
    std::size_t first_span = 0;  // number of its first span in the rank's timeline
    std::size_t spans = 0;

    friend bool operator==(const MpiCall&, const MpiCall&) = default;
};

/// One end of a message.
struct MpiEnd {
    std::size_t rank = 0;  // place of the rank in the timeline
    Time called;           // begin of the span that sends, or of the call that receives
    Time done;             // time at which the message leaves, or end of the span that receives
    bool alone = false;    // true if the end is in no call
};

/// A message of the timeline.
struct MpiMessage {
    std::size_t number = 0;  // index into Timeline::messages
    MpiEnd send;
    MpiEnd recv;
};

struct MpiTimeline {
    std::vector<std::vector<MpiCall>> calls;  // calls of each rank by time
    std::vector<MpiMessage> messages;         // in the order of the timeline's messages
};

MpiTimeline mpi_timeline_of(const record::Timeline& timeline, const program::Program& program);

/// Returns the size of the allreduces of a statement on `rank`.
Bytes allreduced_bytes(const program::Program& program, Rank rank, std::uint16_t site);

}  // namespace warpfront::results
