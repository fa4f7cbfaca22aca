// A shared resource as a first-come first-served server in virtual time: a memory bus, a NIC, a link.
//
// Protocol: the caller passes requests in their total order (time of the request, age of the message, rank) and
// receives the time of each grant, max(request, free_at). Costs already include the service, so the caller adds only
// the waiting time, grant - request.
//
// A bundle is `parallel` parallel links. Each packet of a message takes one of them (machine::LinkChoice):
//   deterministic  link (key mod parallel); the key is the sender's column plus its row within its node. So a sender
//                  always takes the same link, and neighbours along a side of the node take different links
//   adaptive       the link that is free first, the lowest of several
//   round_robin    one link after another, for all senders
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/machine/profile.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

/// The service of one request. Its part `early` precedes the request if the server is free: the bytes of a message
/// occupy a server while they arrive, and the request is made when they have arrived.
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

/// The service times of the packets of a message on a link: `service` each, and `full` more from packet number
/// `buffered` on. That of the last packet is `last`. Each includes the `overhead` of a packet.
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

/// Number of the link that round_robin selects next; less than the number of links.
using Turn = std::uint32_t;

/// Returns the link that a packet with this `request` takes.
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

/// Returns the time at which a packet with this request is granted a link of the bundle.
inline Time grant(std::span<Server> bundle, Turn& turn, machine::LinkChoice choice, std::uint32_t key, Time request,
                  Time service) {
    const std::size_t link = pick(bundle, turn, choice, key, request);
    if (choice == machine::LinkChoice::round_robin) turn = turn + 1 < bundle.size() ? turn + 1 : 0;
    return bundle[link].grant(request, service);
}

}  // namespace warpfront::network
