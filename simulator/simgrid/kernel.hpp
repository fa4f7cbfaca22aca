// SimGrid's engine with the settings of all runs, and actors' clocks in whole picoseconds.
//
// For use in the worker process (simulator/process/worker_process.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace simgrid::s4u {
class Link;
class NetZone;
}  // namespace simgrid::s4u

namespace warpfront::reference {

/// Runs SimGrid from the creation of its engine; `create` makes the platform and the actors. Call it once per process.
void run_engine(const std::function<void()>& create);

inline constexpr double kBoundless = 1e18;  // bytes per second
inline constexpr double kHostSpeed = 1e12;  // flops per second, so a picosecond each

/// Creates a link that flows share evenly, of at most kBoundless.
simgrid::s4u::Link* make_link(simgrid::s4u::NetZone* zone, const std::string& name, double bandwidth);

/// Converts SimGrid's seconds to the nearest picosecond.
std::int64_t picoseconds(double seconds);
/// Returns SimGrid's time.
std::int64_t clock_now();
/// Sets both the actor's clock and SimGrid's to the later of the two: the actor sleeps, or its clock catches up.
void synchronise_clock(std::int64_t& clock);

}  // namespace warpfront::reference
