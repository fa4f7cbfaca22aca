// The effect of a collective on data, simulated by its exchanges: each message carries the contributions that its
// sender has to the named elements at the time of its sending. Elements have 8 B.
#pragma once

#include <queue>

#include "simulator/collectives/exchanges.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

inline constexpr std::int64_t kElement = 8;

/// A set of members that contribute, as bits; 0 is none.
using Contributions = std::uint64_t;

/// One member's part in a collective, in addition to its exchanges: the content of a message, and its effect.
struct Participant {
    std::function<std::vector<Contributions>(const collectives::Exchange&)> sends;
    std::function<void(std::uint32_t from, const std::vector<Contributions>&)> receives;
};

/// The exchanges of all members.
using Schedule = std::vector<std::vector<collectives::Exchange>>;

/// Returns the exchanges of `call` for each member; shares of a gatherv, scatterv and alltoallv are those of its own
/// call.
Schedule schedule_of(const std::function<collectives::Collective(std::uint32_t)>& call,
                     const collectives::Algorithms& algorithms, std::uint32_t members);

/// Performs the exchanges, with the messages of a pair in order; a send does not wait. Returns the fault in words, or
/// nothing.
std::string perform(const Schedule& schedule, const std::vector<Participant>& participants);

/// Returns true if all members finish even if a send ends only after its receive is posted.
bool ends_by_rendezvous(const Schedule& schedule);

}  // namespace warpfront::test
