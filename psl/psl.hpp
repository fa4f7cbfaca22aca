// The Performance Specification Language: from a `.psl` file to a rank program.
//
//   Model model = psl::load("models/sweep3d/sweep3d.psl");   // lexed, parsed, checked; throws BadInput with all faults
//   program::Program program = psl::lower(model, bindings);  // parameters bound, everything foldable folded
//
// psl/README.md describes the language; the grammar is above each parse function.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/program/program.hpp"
#include "simulator/program/wavefront.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/rate.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::psl {

struct CheckedModel;  // the syntax tree and its types; psl/model.hpp

/// A parameter of the application, bound by scenarios.
struct ParameterInfo {
    std::string name;
    std::string type;       // "int", "real", "time", "bytes", "bool"
    bool required = false;  // no default
};

class Model {
public:
    explicit Model(std::shared_ptr<const CheckedModel> checked);
    const std::string& name() const;                    // of its application
    std::vector<ParameterInfo> parameters() const;      // in order of declaration
    std::vector<input::SourceFilePtr> sources() const;  // the file and all its imports, for `context.inputs`
    const CheckedModel& checked() const { return *checked_; }

private:
    std::shared_ptr<const CheckedModel> checked_;
};

/// `mentioned_at`: where a scenario names the file. Throws BadInput with every fault found in it and its imports.
Model load(const std::filesystem::path& path, const input::SourceRange& mentioned_at = {});

/// Loads text of a file that is not stored, or differs from what is; imports are read from its folder.
Model load_text(const std::filesystem::path& path, std::string text);

/// The value of one parameter as text, with its source range.
struct Binding {
    std::string text;
    input::SourceRange range;
};

/// The processor of the machine: its name, and the rate that one core achieves on the code that is predicted.
struct Processor {
    std::string name;
    double operations_per_second = 0.0;
};

/// A region of a model that is fed from time-independent traces: `trace "LIST" at SPEED`.
struct TraceRegion {
    std::filesystem::path list;  // or its folder, relative to the current directory
    input::SourceRange range;    // where the model names it
    FlopRate speed;              // of the processor that computes the flops of the traces
};

struct Bindings {
    RankGrid grid;
    std::int64_t iterations = 1;
    input::SourceRange range;  // of the scenario, for parameters that are missing
    std::map<std::string, Binding> parameters;
    std::map<std::string, std::map<std::string, Binding>> objects;  // defaults of other objects, by their name
    std::optional<Processor> processor;                             // nothing: the platform states none
    /// The platform's algorithms of collectives, asked for where a model has any; nothing: the defaults.
    std::function<collectives::Algorithms()> algorithms;
    /// The time of an analytic region by the closed form on the machine; nothing: none, as where only messages matter.
    /// A BadInput that it throws is reported at the region.
    std::function<WideTime(const program::WavefrontPhase&)> closed_form;
    /// The operations of all ranks in a region fed from a trace, one iteration of them; nothing: none.
    std::function<program::Program(const TraceRegion&)> trace;
};

/// Throws BadInput: missing or unknown parameters, values of the wrong type or unit, a non-positive trip count or
/// size, a peer outside the rank grid, costs beyond virtual time, sends without receives.
program::Program lower(const Model& model, const Bindings& bindings);

}  // namespace warpfront::psl
