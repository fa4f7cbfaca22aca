// From recorded runs of one code to its model.
//
//   Learnt learnt = learn(runs);                 // structure, numbers as expressions, times as laws
//   std::string text = model_text(learnt, ...);  // as PSL
//
// Nothing is guessed: where ranks do not fit one structure, or a number is no expression, `refused` says so with its
// place in the code, and there is no model. What several expressions explain alike is named in `open`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/trace/recorded_run.hpp"
#include "tools/learning/learnt.hpp"

namespace warpfront::learning {

/// What does not fold, or has no expression, before the regular part of the runs or behind it is a region; `cut` says
/// which, or else the smallest are looked for.
Learnt learn(const std::vector<const trace::RecordedRun*>& recorded, const std::optional<Cut>& cut = {});

/// The run with most ranks.
std::size_t largest(const std::vector<Run>& runs);

/// The parameters of the model that a run was not given as numbers.
std::vector<std::string> missing_parameters(const Learnt& learnt, const trace::RecordedRun& recorded);

/// A run with the array that its ranks form and with its parameters, as a model has them.
Run run_as_learnt(const Learnt& learnt, const trace::RecordedRun& recorded);

/// A run beside a model that was learnt from others; it has all parameters of the model.
Agreement agreement(const Learnt& learnt, const trace::RecordedRun& recorded);

/// The computing of one rank at one place of the structure.
struct Visits {
    std::uint32_t part = 0;
    Values values{};          // of the rank
    std::int64_t trips = 1;   // of the loop around it
    double last_share = 0.0;  // of the last iteration, among those whose time is known
    std::int64_t times = 0;
    double seconds = 0.0;  // of one visit, as recorded: the mean over those iterations
};

/// The computing of all ranks of a run, at the places where the model computes.
std::vector<Visits> visits(const Learnt& learnt, const trace::RecordedRun& recorded);

/// The time of one visit by the model, in seconds: by the kernel if it stands there, else by the law.
double time_of_visit(const Learnt& learnt, std::uint32_t part, const Values& values, std::int64_t trips);

/// The cost of the kernel in one visit: a mean, with this share of visits in the last iteration of the loop.
KernelCost kernel_cost(const Learnt& learnt, std::uint32_t part, const Values& values, double last_share);

/// The variables that the model's numbers use; not what only its number of iterations depends on.
std::set<std::uint32_t> used_parameters(const Learnt& learnt);

/// The trips of a loop in PSL; empty where they are no expression.
std::string trips_text(const Learnt& learnt, std::uint32_t loop);

/// A name as the model has it: of letters, digits and `_`, and no word of PSL, nor of what is written around it.
std::string name_in_model(const std::string& name);

/// The model in PSL; `name` is a name of PSL.
std::string model_text(const Learnt& learnt, const std::string& name);

/// The time parameters of pieces of computing, by part: the names of blocks.
std::map<std::uint32_t, std::string> block_names(const Learnt& learnt);

/// The name of an atom in a model, such as `nx_share`.
std::string name_of(const Atom& atom, const Variables& variables);

/// The parameters of the model that are times, with their values in PSL: those of the computer of the recording.
using NamedTime = std::pair<std::string, std::string>;
std::vector<NamedTime> time_parameters(const Learnt& learnt);

}  // namespace warpfront::learning
