// A shared resource as a first-come first-served server in virtual time: a memory bus, a NIC, a link.
//
// Protocol: requests are put to it in their total order (request time, age of the message, rank; the engine sees to
// that); it answers when each is granted. Only the time until the grant is extra, so the caller adds nothing for the
// service itself. Holding it costs the next request max(0, free_at - request).
//
// A bundle is `parallel` links side by side, of which a message takes one; cut into packets, each packet takes one.
// Packet i of a message asks when those before it would have gone without waiting, as it comes from the sender; the
// message is late by as much as the packet that is through last. Which link a packet takes (machine::LinkChoice):
//   deterministic  link (key mod parallel), the key being the sender's column plus its row within its node: always the
//                  same, and neighbours along a side of the node take different links
//   adaptive       the one free first, of several the lowest
//   round_robin    one after another, whoever sends
// Circuits are not queued for: a message that finds the link of its first packet busy asks again when that falls free,
// so that of all who ask then the first in the order of age and rank is granted it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/machine/profile.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::network {

struct Server {
    Time free_at;

    Time grant(Time request, Time service) {
        const Time granted = std::max(request, free_at);
        free_at = granted + service;
        return granted;
    }
};

/// What the packets of a message hold a link for: `service` each, those from number `buffered` on `full` longer, but
/// the last one `last` in all.
struct Packets {
    std::int64_t count = 1;
    std::int64_t buffered = 1;
    Time service;
    Time full;
    Time last;

    Time of(std::int64_t packet) const {
        if (packet + 1 == count) return last;
        return packet < buffered ? service : service + full;
    }
};

/// What a bundle remembers between messages besides its servers: whose turn is next (round_robin), below its size.
using Turn = std::uint32_t;

/// The link that a packet which asks at `asks` would take.
inline std::size_t pick(std::span<const Server> bundle, Turn turn, machine::LinkChoice choice, std::uint32_t key,
                        Time asks) {
    if (choice == machine::LinkChoice::deterministic) return key % bundle.size();
    if (choice == machine::LinkChoice::round_robin) return turn;
    std::size_t link = 0;
    for (std::size_t other = 1; other < bundle.size(); ++other) {
        if (std::max(bundle[other].free_at, asks) < std::max(bundle[link].free_at, asks)) link = other;
    }
    return link;
}

/// `request` plus the time by which the message that asks then is late.
inline Time grant(std::span<Server> bundle, Turn& turn, machine::LinkChoice choice, std::uint32_t key, Time request,
                  const Packets& packets) {
    Time asks = request;
    Time through = request;
    for (std::int64_t k = 0; k < packets.count; ++k) {
        const Time service = packets.of(k);
        const std::size_t link = pick(bundle, turn, choice, key, asks);
        if (choice == machine::LinkChoice::round_robin) turn = turn + 1 < bundle.size() ? turn + 1 : 0;
        through = std::max(through, bundle[link].grant(asks, service) + service);
        asks += service;
    }
    return request + (through - asks);
}

}  // namespace warpfront::network
