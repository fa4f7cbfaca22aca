// Conversion of a timeline to calls of MPI and messages between them, for formats that represent a program by its calls
// (OTF2, Paraver).
//
// A call is the uninterrupted activity of a rank in one statement that computes nothing: it waits, sends, receives. The
// name of the call follows from the instructions of the statement; a statement that both sends and receives is
// MPI_Sendrecv. Executions of a statement without a break between them are one call.
//
// The sender's end of a message is on the last span of sending that begins before the message leaves and whose
// statement sends on the channel of the message; a channel has only one message between isend and departure at a time.
// The receiver's end is on the span that takes the message. If taking the message needs no time, no span exists, and
// the end belongs to no call. Messages of collectives are part of the collective's call and not listed.
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
    std::size_t first_span = 0;  // number of the call's first span in the rank's timeline
    std::size_t spans = 0;

    friend bool operator==(const MpiCall&, const MpiCall&) = default;
};

/// One end of a message.
struct MpiEnd {
    std::size_t rank = 0;  // place of the rank in the timeline
    Time called;           // begin of the span that sends, or of the call that receives
    Time done;             // time at which the message leaves, or end of the span that receives
    bool alone = false;    // true if the message ends outside of any call
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
