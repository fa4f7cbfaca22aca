// A shared resource that serves requests in the order of their arrival: a memory bus, a NIC or a link.
//
// The caller makes the requests in their total order: time of the request, age of the message, rank (order.hpp). Each
// request returns the time of its grant, max(request, free_at). The costs of a message already include the service
// without contention. So the caller adds only the waiting time, grant - request.
//
// A bundle consists of parallel links. Each packet of a message takes one of them (machine::LinkChoice):
//   deterministic  link (key mod number of links). The key is the sender's column plus its row within its node. So a
//                  sender always takes the same link, and adjacent ranks of a node take different links
//   adaptive       the link that is free first; the lowest number if several are free first
//   round_robin    one link after another, for all senders together
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/machine/profile.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

/// The time for which one request occupies a server. A message occupies a server while its bytes arrive, but requests
/// the server only when all bytes have arrived. `early` is the part of the service before that request.
struct Service {
    Time lasts;
    Time early;
};

struct Server {
    Time free_at;

    Time grant(Time request, Time service) {
        const Time granted = std::max(request, free_at);
        free_at = granted + service;
        return granted;
    }
    Time grant(Time request, const Service& service) {
        return grant(request - service.early, service.lasts) + service.early;
    }
};

/// The service times of the packets of one message on a link. A packet takes `service`. From packet number `buffered`
/// on, it takes `full` more. The last packet takes `last`. Each includes the `overhead` of a packet.
struct Packets {
    std::int64_t count = 1;
    std::int64_t buffered = 1;
    Time service;
    Time full;
    Time last;
    Time overhead{};

    Time of(std::int64_t packet) const {
        if (packet + 1 == count) return last;
        return packet < buffered ? service : service + full;
    }
    /// Returns the part of the packet's service beyond its bytes.
    Time beyond(std::int64_t packet) const { return packet < buffered ? overhead : overhead + full; }
};

/// The link that round_robin selects next, as a number from 0.
using Turn = std::uint32_t;

/// Returns the link of the bundle that a packet takes if it makes its request at the time `request`.
inline std::size_t pick(std::span<const Server> bundle, Turn turn, machine::LinkChoice choice, std::uint32_t key,
                        Time request) {
    if (choice == machine::LinkChoice::deterministic) return key % bundle.size();
    if (choice == machine::LinkChoice::round_robin) return turn;
    std::size_t link = 0;
    for (std::size_t other = 1; other < bundle.size(); ++other) {
        if (std::max(bundle[other].free_at, request) < std::max(bundle[link].free_at, request)) link = other;
    }
    return link;
}

/// Returns the time at which a packet is granted a link of the bundle.
inline Time grant(std::span<Server> bundle, Turn& turn, machine::LinkChoice choice, std::uint32_t key, Time request,
                  Time service) {
    const std::size_t link = pick(bundle, turn, choice, key, request);
    if (choice == machine::LinkChoice::round_robin) turn = turn + 1 < bundle.size() ? turn + 1 : 0;
    return bundle[link].grant(request, service);
}

}  // namespace warpfront::network
