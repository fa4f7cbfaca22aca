// What a collective does to data, simulated by its exchanges: each message carries the contributions that its sender
// has to the elements which it names, at the time of its sending. Elements have 8 B.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "simulator/collectives/exchanges.hpp"

namespace warpfront::test {

inline constexpr std::int64_t kElement = 8;

/// Members that contribute, as bits; 0 is nothing.
using Contributions = std::uint64_t;

/// One member's part in a collective, beside its exchanges: what a message carries, and what is done with it.
struct Participant {
    std::function<std::vector<Contributions>(const collectives::Exchange&)> sends;
    std::function<void(std::uint32_t from, const std::vector<Contributions>&)> receives;
};

/// The exchanges of all members.
using Schedule = std::vector<std::vector<collectives::Exchange>>;

/// The exchanges of `call` for each member; shares of a gatherv, scatterv and alltoallv are by its own.
Schedule schedule_of(const std::function<collectives::Collective(std::uint32_t)>& call,
                     const collectives::Algorithms& algorithms, std::uint32_t members);

/// Performs the exchanges, messages of a pair in order; a send does not wait. What is wrong in words, or nothing.
std::string perform(const Schedule& schedule, const std::vector<Participant>& participants);

/// Whether all members come to an end if a send ends only once its receive is posted.
bool ends_by_rendezvous(const Schedule& schedule);

}  // namespace warpfront::test
