// A shared resource as a first-come first-served server in virtual time: a memory bus, a NIC, a link.
//
// Protocol: requests are put to it in their total order (request time, age of the message, rank; the engine sees to
// that); it answers when each is granted. Only the time until the grant is extra, so the caller adds nothing for the
// service itself. Holding it costs the next request max(0, free_at - request).
//
// A bundle is `parallel` links side by side, of which a message takes one; cut into packets, each packet takes one.
// Packet i of a message asks i packet times after the first, as it comes from the sender; the message waits for the
// packet that waits longest. Which link a packet takes (machine::LinkChoice):
//   deterministic  link (key mod parallel), the key being the sender's number for the channel: always the same
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

/// How a message is cut: `packets` of `service` each but the last, which takes `last`.
struct Packets {
    std::int64_t count = 1;
    Time service;
    Time last;
};

/// What a bundle remembers between messages besides its servers: whose turn is next (round_robin).
using Turn = std::uint32_t;

/// The link that a packet which asks at `asks` would take.
inline std::size_t pick(std::span<const Server> bundle, Turn turn, machine::LinkChoice choice, std::uint32_t key,
                        Time asks) {
    if (choice == machine::LinkChoice::deterministic) return key % bundle.size();
    if (choice == machine::LinkChoice::round_robin) return turn % bundle.size();
    std::size_t link = 0;
    for (std::size_t other = 1; other < bundle.size(); ++other) {
        if (std::max(bundle[other].free_at, asks) < std::max(bundle[link].free_at, asks)) link = other;
    }
    return link;
}

/// When a message that asks at `request` would have gone without the waiting it meets, plus that waiting.
inline Time grant(std::span<Server> bundle, Turn& turn, machine::LinkChoice choice, std::uint32_t key, Time request,
                  const Packets& packets) {
    Time waited;
    for (std::int64_t k = 0; k < packets.count; ++k) {
        const Time asks = request + packets.service * k;
        const std::size_t link = pick(bundle, turn, choice, key, asks);
        if (choice == machine::LinkChoice::round_robin) ++turn;
        const Time granted = bundle[link].grant(asks, k + 1 < packets.count ? packets.service : packets.last);
        waited = std::max(waited, granted - asks);
    }
    return request + waited;
}

}  // namespace warpfront::network
