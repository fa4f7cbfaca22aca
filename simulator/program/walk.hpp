// A program walked rank by rank without a machine and without time: what its messages alone decide.
//
// A receive waits for its message, an allreduce for all ranks. A send waits for nothing where its message is buffered
// (eager), and for the posting of its own receive where it is not (a rendezvous, MPI_Ssend). What is stuck although all
// messages are buffered is stuck on any machine; what is stuck without buffers alone depends on the eager limit of the
// machine ("unsafe" in MPI: The Complete Reference, 2.5). No order of steps changes who is stuck in the end,
// since a step that can be made stays possible until it is made. A receive from any source takes the first in the order
// of its choice: one of the orders in which messages may come, so that what is stuck then may be stuck on some machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::program {

/// Which messages are buffered; their senders wait for no receive.
struct Buffering {
    std::function<bool(Rank sender, Rank receiver, const Instruction& send)> eager;
};
Buffering all_eager();
Buffering all_rendezvous();

/// A rank that has not finished and waits, in the statement `site`.
struct Stuck {
    enum class What : std::uint8_t { recv, send, allreduce } what = What::recv;
    Rank rank;
    Rank peer;  // which it waits for; of an allreduce, the first rank that has not come to it
    std::int32_t tag = 0;
    std::uint16_t site = 0;
    std::uint32_t partners = 1;  // ranks any of which could end its wait; `peer` is one that is stuck, or the first
};

/// By rank; empty where all finish, nothing where that takes more than `most` instructions and looks at ranks.
std::optional<std::vector<Stuck>> stuck_ranks(const Program& program, const Buffering& buffering, std::uint64_t most);

/// A rank that finishes although a receiver of its messages, several on a channel, has not begun: so it may be any
/// number of messages ahead, and buffered messages queue up.
struct RunAhead {
    Rank rank;
    Rank receiver;
    std::uint16_t site = 0;  // of the first statement that sends to it
    friend bool operator==(const RunAhead&, const RunAhead&) = default;
};
/// By receiver, then rank; empty where every sender waits for its receivers, nothing where a walk takes more than
/// `most`.
std::optional<std::vector<RunAhead>> run_ahead(const Program& program, const Buffering& buffering, std::uint64_t most);

/// The program with loops of at most `trips`; nothing where messages or allreduces then no longer match.
std::optional<Program> shortened(const Program& program, std::int64_t trips);

}  // namespace warpfront::program
