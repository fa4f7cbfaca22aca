// The values with which a model is specialised: the process grid, the number of iterations and the parameters from the
// scenario, and values from the machine and from other files.
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

/// The text of a parameter's value, with its range in the source.
struct Binding {
    std::string text;
    SourceRange range;
};

/// The value for the parameter with this role. The parameter may have any name.
struct RoleBinding {
    Role role;
    Binding value;
    std::string key;  // key of the scenario, which messages name
};

/// The processor of the machine: its name, and the rate at which one core executes the predicted code.
struct Processor {
    std::string name;
    double operations_per_second = 0.0;
};

/// A region of a model that replays time-independent traces: `trace "LIST" at SPEED`.
struct TraceRegion {
    std::filesystem::path list;  // the list of the traces or their folder, relative to the current directory
    SourceRange range;           // range of the file name in the model
    /// The rate at which the processor computes the flops of the traces. Recorded runs have times instead, and no rate.
    std::optional<FlopRate> speed;
};

struct Bindings {
    RankGrid grid;
    std::int64_t iterations = 1;
    SourceRange range;  // range in the scenario at which missing parameters are reported
    std::map<std::string, Binding> parameters;
    std::vector<RoleBinding> roles;  // values for roles such as cells per rank; each role at most once
    std::map<std::string, std::map<std::string, Binding>>
        objects;                         // new values for defaults of other objects, by the name of the object
    std::optional<Processor> processor;  // processor of the platform, if the platform states one
    collectives::Algorithms algorithms;  // algorithms of the platform's collectives
    /// Returns the time of an analytic region on the machine, by the closed form. Empty if no times are needed, for
    /// example if only messages matter. If it throws BadInput, the error is reported at the region.
    std::function<WideTime(const program::WavefrontPhase&)> closed_form;
    /// Returns the time that the cores of a rank need for a program of task lists. Empty if no times are needed, for
    /// example if only messages matter. If it throws std::runtime_error, the error is reported at the list.
    std::function<Time(const program::Program&)> list_time;
    /// Returns the operations of all ranks in a trace region, for one iteration. Empty if there are no traces.
    std::function<program::Program(const TraceRegion&)> trace;
};

}  // namespace warpfront::psl
