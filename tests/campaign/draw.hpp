// How a trial is drawn: the grid of ranks, then the model, then the machine, placement and noise. Each part adds its
// files and overrides. Sizes are drawn within a budget of messages, so that most trials take milliseconds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tests/campaign/choices.hpp"
#include "tests/campaign/trial.hpp"

namespace warpfront::campaign {

inline constexpr std::int64_t kMicrosecond = 1'000'000;  // picoseconds

struct Draw {
    Choices& choices;
    Trial& trial;
    std::int64_t messages = 0;  // in all, about
    bool large = false;         // at least 100 ranks, and 100 tiles where the budget allows it
    std::int64_t columns = 1;   // of ranks
    std::int64_t rows = 1;
    std::int64_t cores = 1;  // of a node, once the machine is drawn
    std::int64_t nodes = 1;

    std::int64_t ranks() const { return columns * rows; }
    /// Tiles of a sweep of which there are `sweeps` in all, of two messages per rank and tile each.
    std::int64_t tiles(const std::string& name, std::int64_t sweeps);
};

/// Files go to `folder`; `large_share` of the trials are large.
Trial draw_trial(Choices& choices, const std::filesystem::path& folder, double large_share);

/// One of the models of models/ with parameters of its own.
void draw_shipped_model(Draw& draw);
/// A program of the trial's own: sweeps, exchanges, collectives and loops with conditions.
void draw_program(Draw& draw);

/// A machine of platforms/ with changes; draws the node's patch of ranks.
void draw_shipped_machine(Draw& draw);
/// A hardware file of the trial's own, with its network.
void draw_hardware(Draw& draw);
/// The algorithms of collectives on either.
void draw_collectives(Draw& draw);
/// Lines of a hardware file for its network (`platform` or `topology`, and `size`), and the files they name.
std::string draw_network(Draw& draw);
/// A network by rule, as `topology` takes it.
std::string draw_topology(Choices& choices);
/// One of the routings that a torus, a HyperX and a dragonfly have.
std::string draw_routing(Choices& choices, const std::string& name);
/// Which ranks share a node: one, all its cores, or some of them.
void draw_patch(Draw& draw, std::int64_t cores);

/// Placement, unlike ranks, noise.
void draw_variation(Draw& draw);

/// "1.25us", of about three digits; `least` and `most` in picoseconds.
std::string draw_time(Choices& choices, const std::string& name, std::int64_t least, std::int64_t most);
/// A bandwidth from 1 MB/s to 20 GB/s.
std::string draw_bandwidth(Choices& choices, const std::string& name);
/// `sent` or `received`.
std::string draw_sender_goes_on(Choices& choices, const std::string& name);
/// A layer of `eager`: {limit: 64KiB, o_unexpected: 1us, G_unexpected: 1GBps}.
std::string draw_eager_sends(Choices& choices, const std::string& name);
/// A divisor of `whole`.
std::int64_t draw_divisor(Choices& choices, const std::string& name, std::int64_t whole);

}  // namespace warpfront::campaign
