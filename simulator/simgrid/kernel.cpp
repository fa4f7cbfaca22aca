#include "simulator/simgrid/kernel.hpp"

#include <algorithm>
#include <cmath>

#include "simulator/simgrid/s4u.hpp"

namespace warpfront::reference {

namespace s4u = simgrid::s4u;

void run_engine(const std::function<void()>& create) {
    char name[] = "warpfront";
    char* arguments[] = {name, nullptr};
    int count = 1;
    s4u::Engine engine(&count, arguments);
    for (const char* setting :
         {"network/model:CM02", "network/crosstraffic:0", "network/weight-S:0", "network/TCP-gamma:1e15",
          "surf/precision:1e-13", "contexts/stack-size:64", "contexts/guard-size:0"}) {
        s4u::Engine::set_config(setting);
    }
    create();
    engine.run();
}

s4u::Link* make_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
    return zone->create_link(name, std::min(bandwidth, kBoundless))->set_latency(0.0);
}

std::int64_t picoseconds(double seconds) { return std::llround(seconds * 1e12); }

std::int64_t clock_now() { return picoseconds(s4u::Engine::get_clock()); }

void synchronise_clock(std::int64_t& clock) {
    const double now = s4u::Engine::get_clock();
    const std::int64_t simgrids = picoseconds(now);
    if (clock > simgrids) {
        s4u::this_actor::sleep_for(static_cast<double>(clock) * 1e-12 - now);
    } else {
        clock = simgrids;
    }
}

}  // namespace warpfront::reference
