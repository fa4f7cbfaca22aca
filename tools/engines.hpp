// The engines by name, and one way to ask any of them.
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
    WideTime network;  // for NICs and links, its messages' waiting included
};

struct Answer {
    record::Record record;
    std::optional<WideTime> contention{};  // closed form only: its term for the shared bus, part of the total
    std::optional<Waiting> waiting{};      // stepped engines: of the rank that finishes last
};

/// The run itself failed, by a deadlock or by virtual time running out; what() tells it. Exit status 1.
class RunFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws RunFailed, or BadInput where a model declares no closed form or is too large for SimGrid. Only the event
/// engine has use for `options`.
Answer predict(Engine engine, const Experiment& prepared, const engine::Options& options);
/// As the case itself says.
Answer predict(Engine engine, const Experiment& prepared);

}  // namespace warpfront::tools
