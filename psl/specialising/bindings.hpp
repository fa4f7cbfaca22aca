// The values that a scenario binds in a model: the process grid, the iterations, parameters as text, and values from
// the machine or other files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "psl/syntax/roles.hpp"
#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

/// The value of one parameter as text, with its source range.
struct Binding {
    std::string text;
    SourceRange range;
};

/// The value of the parameter with this role, whatever its name.
struct RoleBinding {
    Role role;
    Binding value;
    std::string key;  // key of the scenario, for messages
};

/// The processor of the machine: its name, and the rate that one core achieves on the predicted code.
struct Processor {
    std::string name;
    double operations_per_second = 0.0;
};

/// A region of a model that replays time-independent traces: `trace "LIST" at SPEED`.
struct TraceRegion {
    std::filesystem::path list;  // list of the traces, or their folder; relative to the current directory
    SourceRange range;           // range of the path in the model
    /// The rate at which the processor computes the flops of the traces; a recorded run has times instead and no rate.
    std::optional<FlopRate> speed;
};

struct Bindings {
    RankGrid grid;
    std::int64_t iterations = 1;
    SourceRange range;  // range in the scenario, reported for missing parameters
    std::map<std::string, Binding> parameters;
    std::vector<RoleBinding> roles;  // cells per rank and similar values, each role at most once
    std::map<std::string, std::map<std::string, Binding>>
        objects;                         // new defaults of other objects, by name of the object
    std::optional<Processor> processor;  // processor of the platform; nothing if the platform states none
    collectives::Algorithms algorithms;  // algorithms of the platform's collectives
    /// Returns the time of an analytic region by the closed form on the machine; nothing if no times are needed, for
    /// example if only messages matter. A BadInput that it throws is reported at the region.
    std::function<WideTime(const program::WavefrontPhase&)> closed_form;
    /// Returns the time that the cores of a rank take for a program of task lists; nothing if no times are needed, for
    /// example if only messages matter. A std::runtime_error that it throws is reported at the list.
    std::function<Time(const program::Program&)> list_time;
    /// Returns one iteration of the operations of all ranks in a trace region; nothing if there are none.
    std::function<program::Program(const TraceRegion&)> trace;
};

}  // namespace warpfront::psl
