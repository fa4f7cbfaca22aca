// A program walked rank by rank without a machine and without time: what its messages alone decide.
//
// A receive waits for its message, an allreduce for all ranks. A send waits for nothing where messages are buffered
// (every one eager), and for the posting of its own receive where they are not (every one a rendezvous, MPI_Ssend). What
// is stuck although messages are buffered is stuck on any machine; what is stuck without buffers alone depends on the
// eager limit of the machine ("unsafe" in MPI: The Complete Reference, 2.5). No order of steps changes who is stuck in the end,
// since a step that can be made stays possible until it is made. A receive from any source takes the first in the order of its
// choice: one of the orders in which messages may come, so that what is stuck then may be stuck on some machine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/program/program.hpp"

namespace warpfront::program {

enum class Sends : std::uint8_t { buffered, rendezvous };

/// A rank that has not finished and waits, in the statement `site`.
struct Stuck {
    enum class What : std::uint8_t { recv, send, allreduce } what = What::recv;
    Rank rank;
    Rank peer;  // which it waits for; of an allreduce, the first rank that has not come to it
    std::int32_t tag = 0;
    std::uint16_t site = 0;
    std::uint32_t partners = 1;  // ranks any of which could end its wait; `peer` is one that is stuck, or the first
};

/// By rank; empty where all finish, nothing where that takes more than `most` instructions.
std::optional<std::vector<Stuck>> stuck_ranks(const Program& program, Sends sends, std::uint64_t most);

/// A rank that finishes all iterations although a receiver of its messages has not begun: so it may be any number of
/// iterations ahead, and buffered messages queue up.
struct RunAhead {
    Rank rank;
    Rank receiver;
    std::uint16_t site = 0;  // of the first statement that sends to it
};
/// The first by receiver, then rank; nothing where every sender waits for its receivers, or where the program has less than two
/// iterations.
std::optional<RunAhead> run_ahead(const Program& program, std::uint64_t most);

}  // namespace warpfront::program
