// The memory bus of a port, which SimGrid does not model: first come, first served, one message at a time.
//
// The bus grants, of the requests of one instant, the first in the event engine's order: by age, then by rank. SimGrid
// runs the actors of an instant in turns: first those that it wakes, then those that these wake, and so on. A request
// is therefore granted only after several turns without a new request.
#pragma once

#include <compare>
#include <cstdint>
#include <set>

#include "simulator/network/order.hpp"
#include "simulator/network/server.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::reference {

/// A chain of actors that leads to a request within one instant takes a turn each: the post, its sender, a message on
/// the same chip, its receiver.
inline constexpr int kTurnsOfAnInstant = 4;

struct BusRequest {
    Time requested_at;
    network::Age age;
    Rank rank;
    std::uint32_t begun = 0;  // 0: of the rank itself; else of a message that it has begun: 1 + place of its channel
    friend constexpr auto operator<=>(const BusRequest&, const BusRequest&) = default;
};

class BusQueue {
public:
    void request(const BusRequest& request) {
        requests_.insert(request);
        ++changes_;
    }
    bool is_first(const BusRequest& request) const { return *requests_.begin() == request; }
    std::uint64_t changes() const { return changes_; }

    /// The time at which the first request is granted the bus.
    Time grant(const BusRequest& request, Time hold) {
        requests_.erase(request);
        ++changes_;
        return server_.grant(request.requested_at, hold);
    }

private:
    network::Server server_;
    std::set<BusRequest> requests_;  // of this instant
    std::uint64_t changes_ = 0;      // requests made and granted so far
};

}  // namespace warpfront::reference
