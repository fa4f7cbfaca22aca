// SimGrid's engine as all runs set it up, and actors' clocks in whole picoseconds.
//
// To be used in the process that simulates (simulator/process/worker_process.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace simgrid::s4u {
class Link;
class NetZone;
}  // namespace simgrid::s4u

namespace warpfront::reference {

/// Runs SimGrid from the creation of its engine on; `create` makes the platform and the actors. Once per process.
void run_engine(const std::function<void()>& create);

inline constexpr double kBoundless = 1e18;  // bytes per second
inline constexpr double kHostSpeed = 1e12;  // flops per second, so a picosecond each

/// A link that flows share evenly, of at most kBoundless.
simgrid::s4u::Link* make_link(simgrid::s4u::NetZone* zone, const std::string& name, double bandwidth);

/// SimGrid's seconds in the nearest picosecond.
std::int64_t picoseconds(double seconds);
/// SimGrid's time.
std::int64_t clock_now();
/// The later of an actor's clock and SimGrid's becomes both: the actor sleeps, or its clock catches up.
void synchronise_clock(std::int64_t& clock);

}  // namespace warpfront::reference
