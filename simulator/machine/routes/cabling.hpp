// How the network interfaces (NICs) of a host are cabled into a network by rule whose hosts have links to a switch.
//   per_nic   one plane: each NIC has a cable of its own to the host's switch, so the network has an end for every NIC,
//             number host * cables + NIC, and routes from end to end. A message leaves by the sender's NIC and enters
//             by the receiver's
//   rails     a plane for each NIC: the network is there once for each, with NIC k of every host in plane k. No link
//             joins two planes, so the sender's NIC decides: a message enters the receiving node by the NIC in the same
//             plane, whichever the receiver's is. Link `l` of plane k has the number l * cables + k
//   shared    all NICs of a host share one cable
// Hosts of a torus are its routers and have no cables.
#pragma once

#include <cstdint>

#include "simulator/machine/routes/link.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

enum class NicCabling : std::uint8_t { per_nic, rails, shared };

/// A NIC with a cable of its own, or the cable that the NICs of a host share: number 0.
struct HostNic {
    Host host;
    std::uint32_t nic = 0;
    constexpr HostNic(Host of_host, std::uint32_t number = 0) : host(of_host), nic(number) {}
};

struct Cabling {
    std::uint32_t cables = 1;  // of a host: one, or one for each NIC
    bool rails = false;        // each in a plane of its own

    std::uint32_t planes() const { return rails ? cables : 1; }
    /// Ends of the network per host, in each plane.
    std::uint32_t ends_per_host() const { return rails ? 1 : cables; }
    Host end(HostNic nic) const { return ends_per_host() == 1 ? nic.host : Host{nic.host.index * cables + nic.nic}; }
    LinkId link(LinkId of_plane, std::uint32_t nic) const {
        return rails ? LinkId{of_plane.index * cables + nic} : of_plane;
    }
    LinkId in_plane(LinkId link) const { return {link.index / planes()}; }
    friend bool operator==(const Cabling&, const Cabling&) = default;
};

}  // namespace warpfront::machine
