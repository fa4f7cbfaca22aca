// The engines by name, with one interface to run any of them.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "simulator/engine/engine.hpp"
#include "simulator/record/record.hpp"
#include "tools/experiment.hpp"

namespace warpfront::tools {

enum class Engine : std::uint8_t { event, analytic, simgrid };
inline constexpr std::string_view kEngineNames[] = {"event", "analytic", "simgrid"};

std::string_view name_of(Engine engine);

/// What the rank that finishes last waited for, outside collectives.
struct Waiting {
    WideTime bus;      // for its node's bus
    WideTime network;  // for NICs and links, the waiting of its messages included
};

struct Prediction {
    record::Record record;
    std::optional<WideTime> contention{};  // closed form only: its term for the shared bus, part of the total
    std::optional<Waiting> waiting{};      // stepped engines: of the rank that finishes last
};

/// The run failed by a deadlock, by lack of memory or by an overflow of virtual time; what() describes it. Exit status
/// 1.
class RunFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws RunFailed, or BadInput if a model declares no closed form or is too large for SimGrid. Only the event engine
/// uses `options`.
Prediction predict(Engine engine, const Experiment& prepared, const engine::Options& options);
/// With the options of the experiment.
Prediction predict(Engine engine, const Experiment& prepared);

}  // namespace warpfront::tools
