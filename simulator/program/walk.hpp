// A walk through a program: executes the instructions of all ranks without a machine and without time, to find
// deadlocks that follow from the order of messages alone.
//
// A receive waits for its message, an allreduce for all ranks. A send of a buffered (eager) message does not wait; any
// other send (a rendezvous, MPI_Ssend) waits until its receive is posted. A program that deadlocks although all
// messages are buffered deadlocks on any machine; one that deadlocks only without buffers depends on the eager limit of
// the machine ("unsafe" in MPI: The Complete Reference, 2.5). The order in which ranks advance has no effect on the
// final deadlock, since an instruction that can be executed remains executable. A receive from any source takes the
// first message in the order of its choice, and messages of one source in the order of sending. This is one of the
// orders in which messages may be taken, so such a deadlock may occur on some machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::program {

/// The messages that are buffered; their senders do not wait for the receive.
struct Buffering {
    std::function<bool(Rank sender, Rank receiver, const Instruction& send)> eager;
};
Buffering all_eager();
Buffering all_rendezvous();

/// A rank that has not finished and waits, in the statement `site`.
struct Stuck {
    enum class What : std::uint8_t { recv, send, allreduce } what = What::recv;
    Rank rank;
    Rank peer;  // the rank for which `rank` waits; at an allreduce, the first rank that has not reached it
    std::int32_t tag = 0;
    std::uint16_t site = 0;
    /// Number of ranks that could end the wait; `peer` is the first stuck one of them, or the first if none is stuck.
    std::uint32_t partners = 1;
};

/// Returns the stuck ranks in order; empty if all ranks finish; nothing if the walk takes more than `most` instructions
/// and examined ranks.
std::optional<std::vector<Stuck>> stuck_ranks(const Program& program, const Buffering& buffering, std::uint64_t most);

/// A rank that finishes although a receiver of several of its messages has not begun. It may be any number of messages
/// ahead, so buffered messages queue up.
struct RunAhead {
    Rank rank;
    Rank receiver;
    std::uint16_t site = 0;  // first statement of `rank` that sends to the receiver
    friend bool operator==(const RunAhead&, const RunAhead&) = default;
};
/// Returns pairs in the order of receivers, then ranks; empty if every sender waits for its receivers; nothing if a
/// walk takes more than `most`.
std::optional<std::vector<RunAhead>> run_ahead(const Program& program, const Buffering& buffering, std::uint64_t most);

/// Returns the program with loops of at most `most` iterations; nothing if messages or allreduces then no longer match.
std::optional<Program> shortened(const Program& program, std::int64_t most);

}  // namespace warpfront::program
