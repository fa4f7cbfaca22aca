// The drawing of a trial: the grid of ranks, then the model, then the machine, placement and noise. Each part adds its
// files and overrides. Sizes are drawn within a budget of messages, so that most trials take milliseconds.
#pragma once

#include "tests/campaign/choices.hpp"
#include "tests/campaign/trial.hpp"

namespace warpfront::campaign {

inline constexpr std::int64_t kMicrosecond = 1'000'000;  // picoseconds

struct Draw {
    Choices& choices;
    Trial& trial;
    std::int64_t messages = 0;  // approximate total
    bool large = false;         // at least 100 ranks, and 100 tiles if the budget allows it
    std::int64_t columns = 1;   // of ranks
    std::int64_t rows = 1;
    std::int64_t cores = 1;  // of a node, once the machine is drawn
    std::int64_t nodes = 1;

    std::int64_t ranks() const { return columns * rows; }
    /// Draws the tiles of a sweep. There are `sweeps` in all, with two messages per rank and tile each.
    std::int64_t tiles(const std::string& name, std::int64_t sweeps);
};

/// Draws a trial. Files go to `folder`; `large_share` of the trials are large.
Trial draw_trial(Choices& choices, const std::filesystem::path& folder, double large_share);

/// Draws one of the models of models/ with its own parameters.
void draw_shipped_model(Draw& draw);
/// Draws a program of the trial's own: sweeps, exchanges, collectives and loops with conditions.
void draw_program(Draw& draw);

/// Draws a machine of platforms/ with changes, and the node's patch of ranks.
void draw_shipped_machine(Draw& draw);
/// Draws a hardware file of the trial's own, with its network.
void draw_hardware(Draw& draw);
/// Draws the algorithms of collectives.
void draw_collectives(Draw& draw);
/// Draws the lines of a hardware file for its network (`platform` or `topology`, and `size`), and the files they name.
std::string draw_network(Draw& draw);
/// Draws a generated network for the key `topology`.
std::string draw_topology(Choices& choices);
/// Draws one of the routings that a torus, a HyperX and a dragonfly have.
std::string draw_routing(Choices& choices, const std::string& name);
/// Draws the ranks that share a node: one, all its cores, or some of them.
void draw_patch(Draw& draw, std::int64_t cores);

/// Draws placement, heterogeneous ranks and noise.
void draw_variation(Draw& draw);

/// Draws a time such as "1.25us", with about three digits; `least` and `most` in picoseconds.
std::string draw_time(Choices& choices, const std::string& name, std::int64_t least, std::int64_t most);
/// Draws a bandwidth from 1 MB/s to 20 GB/s.
std::string draw_bandwidth(Choices& choices, const std::string& name);
/// Draws `sent` or `received`.
std::string draw_sender_goes_on(Choices& choices, const std::string& name);
/// Draws a layer of `eager`: {limit: 64KiB, o_unexpected: 1us, G_unexpected: 1GBps}.
std::string draw_eager_sends(Choices& choices, const std::string& name);
/// Draws a divisor of `whole`.
std::int64_t draw_divisor(Choices& choices, const std::string& name, std::int64_t whole);

}  // namespace warpfront::campaign
