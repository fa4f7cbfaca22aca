// A walk through a program: the instructions of all ranks are executed without a machine and without time. It finds
// deadlocks that follow from the order of messages alone.
//
// A receive waits for its message, and an allreduce for all ranks. A send of a buffered (eager) message does not wait.
// Any other send (a rendezvous, MPI_Ssend) waits until its receive is posted. If a program deadlocks although all
// messages are buffered, it deadlocks on any machine. If it deadlocks only without buffers, it depends on the eager
// limit of the machine ("unsafe" in MPI: The Complete Reference, 2.5).
//
// The order in which ranks advance has no effect on the final deadlock, since an instruction that can be executed
// remains executable. A receive from any source takes the first message in the order of its choice, and messages of one
// source in the order of sending. Other orders are possible too, so such a deadlock may occur on some machines only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::program {

/// Selects the messages that are buffered. Their senders do not wait for the receive.
struct Buffering {
    std::function<bool(Rank sender, Rank receiver, const Instruction& send)> eager;
};
Buffering all_eager();
Buffering all_rendezvous();

/// A rank that waits forever in the statement `site`.
struct Stuck {
    enum class What : std::uint8_t { recv, send, allreduce } what = What::recv;
    Rank rank;
    Rank peer;  // the rank for which `rank` waits; in an allreduce, the first rank that does not reach the allreduce
    std::int32_t tag = 0;
    std::uint16_t site = 0;
    /// The number of ranks that could end the wait. `peer` is the first of them that is stuck, or the first of all if
    /// none is stuck.
    std::uint32_t partners = 1;
};

/// Returns the stuck ranks in order. The result is empty if all ranks finish, and nothing if the walk takes more than
/// `most` steps.
std::optional<std::vector<Stuck>> stuck_ranks(const Program& program, const Buffering& buffering, std::uint64_t most);

/// A rank that can finish before a rank to which it sends several messages has begun. So any number of its buffered
/// messages may queue up.
struct RunAhead {
    Rank rank;
    Rank receiver;
    std::uint16_t site = 0;  // first statement of `rank` that sends to the receiver
    friend bool operator==(const RunAhead&, const RunAhead&) = default;
};
/// Returns such pairs in the order of receivers, then ranks. The result is empty if every sender waits for its
/// receivers, and nothing if a walk takes more than `most` steps.
std::optional<std::vector<RunAhead>> run_ahead(const Program& program, const Buffering& buffering, std::uint64_t most);

/// Returns the program with at most `most` iterations of each loop; nothing if its messages or allreduces no longer
/// match.
std::optional<Program> shortened(const Program& program, std::int64_t most);

}  // namespace warpfront::program
