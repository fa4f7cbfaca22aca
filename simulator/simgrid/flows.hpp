// The machine as a SimGrid platform, built in code: a host per port; the two links of its NIC, if messages hold NICs;
// the platform's links on the routes in use; and an unlimited link per host for routes that share nothing.
//
// Used only in the worker process (simulator/process/worker_process.hpp).
#pragma once

#include <map>
#include <vector>

#include "simulator/machine/machine.hpp"
#include "simulator/reference/channel_map.hpp"

namespace simgrid::s4u {
class Host;
class Link;
class NetZone;
}  // namespace simgrid::s4u

namespace warpfront::reference {

class Flows {
public:
    /// Creates the platform. SimGrid's engine must exist and be configured. `channel_map` and `machine` must outlive
    /// it.
    Flows(const ChannelMap& channel_map, const machine::Machine& machine);

    simgrid::s4u::Host* host(Port port) const { return hosts_[port.index]; }

private:
    struct Nic {
        simgrid::s4u::Link* out = nullptr;
        simgrid::s4u::Link* in = nullptr;
    };

    void add_host();
    void add_route(Port from, Port to);
    simgrid::s4u::Link* link(machine::LinkId id);
    std::vector<machine::LinkId> links_between(Port from, Port to) const;

    const ChannelMap& channel_map_;
    const machine::Machine& machine_;
    const SharedOnRoutes crossed_;
    simgrid::s4u::NetZone* zone_ = nullptr;
    std::vector<simgrid::s4u::Host*> hosts_;                // by port
    std::vector<simgrid::s4u::Link*> wires_;                // by port, outgoing
    std::vector<Nic> nics_;                                 // by port, if messages hold NICs
    std::map<machine::LinkId, simgrid::s4u::Link*> links_;  // those in use
};

}  // namespace warpfront::reference
