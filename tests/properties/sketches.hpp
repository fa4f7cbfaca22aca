// Random small codes and machines, as sketches: a few small numbers, so that a failing case can be shrunk and read.
// Times are counted in units and sizes in hundreds of bytes, so every product of a size and a gap is a whole number of
// units, and multiplying the unit multiplies every time of code and machine exactly.
//
// Codes are free of deadlock by construction: every rank goes through the same steps in the same order, and a step is
//   sweep      tiles from one corner of the grid: receive x, receive y, work, send x, send y
//   halo       post from all neighbours, send to all, work, await all
//   shift      post from the west (or north), send east (or south), work, await; or, so that some ranks only send and
//              others only receive, within pairs of ranks
//   allreduce  of all ranks
//   work       computing alone
#pragma once

#include <iosfwd>

#include <rapidcheck.h>

#include "simulator/machine/machine.hpp"
#include "simulator/program/program.hpp"
#include "simulator/variation/noise.hpp"
#include "tests/preamble.hpp"

namespace warpfront::test {

struct Step {
    enum Kind : std::uint8_t { sweep, halo, shift, allreduce, work } kind = sweep;
    unsigned start = 0;  // of a sweep: bit 0 east, bit 1 south; of a shift: bit 0 southwards, bit 1 in pairs
    int tiles = 1;
    int units = 0;             // of work, per tile
    int skew = 0;              // further units, times 0 .. 6 from rank to rank
    int x = 0;                 // hundreds of bytes sent east and west
    int y = 0;                 // ... north and south; of an allreduce
    bool posts_early = false;  // a sweep posts both receives before it waits for one; a shift posts before it sends
};

/// A phase of identical iterations.
struct Phase {
    int iterations = 1;
    std::vector<Step> steps;
};

struct Code {
    RankGrid grid;
    std::int64_t lead = 0;  // picoseconds that every rank computes before all else
    std::vector<Phase> phases;
};

/// The costs of messages of one layer, up to a size or beyond it.
struct Row {
    bool rendezvous = false;
    int o_send = 0;
    int o_recv = 0;
    int L = 0;
    int G = 0;
    int G_recv = 0;
    int G_send = 0;
    int o_request = 0;
    int o_ack = 0;
    bool holds_bus = false;
    bool receives_before_bus = false;
    bool holds_nic = false;
    bool holds_links = false;
    int processing = -1;  // below 0: not at all
};

/// The limit and the costs of eager messages of one layer.
struct Eager {
    int limit = -1;  // hundreds of bytes; below 0: the protocol of the rows
    int o_unexpected = 0;
    int G_unexpected = 0;
};

inline constexpr std::size_t kLocalities = 3;

struct Hardware {
    enum Network : std::uint8_t { ring, torus2, torus3, star, table } network = ring;
    machine::Patch patch;
    std::uint32_t cores = 1;
    std::uint32_t chips = 1;
    std::uint32_t buses = 1;
    std::uint32_t nics = 1;
    std::uint32_t spare_hosts = 0;
    std::uint32_t shuffle = 0;                           // seed of the placement; 0: in order
    std::uint32_t core_shuffle = 0;                      // of the cores of a node, of which its ranks have the first
    std::array<std::array<Row, 2>, kLocalities> rows{};  // the first of each up to `small`
    std::array<std::optional<Eager>, kLocalities> eager{};
    int small = 0;  // hundreds of bytes
    int hop = 0;    // latency of a link, in units
    std::uint32_t links_in_L = 1;
    machine::Routing routing = machine::Routing::minimal;
    bool duplex = true;
    bool limited = false;  // a star with limiters and a backbone
    int limiter = 0;       // their gaps
    int backbone = 0;
    std::optional<std::array<int, 2>> bus{};  // o_dma, G_dma
    bool processes_messages = false;          // as many processors of messages as buses
    std::optional<std::array<int, 3>> nic{};  // gaps of injection and ejection, g
    std::optional<int> links{};               // gap
    int packet = 0;                           // hundreds of bytes; 0: whole messages
    int overhead = 0;                         // of a packet
    int buffers = 0;                          // hundreds of bytes; 0: none
    int full = 0;
    std::optional<std::array<int, 2>> arbitration{};  // pairs, overhead
    std::uint32_t parallel = 1;
    machine::LinkChoice choice = machine::LinkChoice::deterministic;
};

/// A code on a machine; `unit` in picoseconds.
struct Case {
    std::int64_t unit = 1000;
    Code code;
    Hardware hardware;
};

program::Program program_of(const Case& each);
machine::Machine machine_of(const Case& each);

rc::Gen<Case> any_case();
/// Returns noise of every kind, in a run of cases of this unit.
rc::Gen<variation::Noise> any_noise(std::int64_t unit);
/// Returns the kinds of noise with which iterations recur: heterogeneous ranks and tiles, and interruptions that are
/// the same in every iteration.
rc::Gen<variation::Noise> recurring_noise(std::int64_t unit);

std::ostream& operator<<(std::ostream& out, const Case& each);

/// Returns the case with positive costs, so that no event causes another at the same instant; the order by age would
/// then not be that of causes.
Case with_time_between(Case each);

}  // namespace warpfront::test

namespace warpfront::variation {
std::ostream& operator<<(std::ostream& out, const Noise& noise);
}
