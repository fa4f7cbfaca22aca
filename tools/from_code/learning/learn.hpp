// Learns a model from recorded runs of one code.
//
//   Learnt learnt = learn(runs);                 // structure, numbers as expressions, times as laws
//   std::string text = model_text(learnt, ...);  // as PSL
//
// Nothing is guessed. If ranks do not fit one structure, or no expression gives a number, there is no model. `refused`
// then contains the reason with its place in the code. Numbers that several expressions explain equally well are listed
// in `open`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/trace/recorded_run.hpp"
#include "tools/from_code/learning/learnt.hpp"

namespace warpfront::learning {

/// Learns a model. Operations at the beginning and the end of the runs become regions if they do not fold into loops,
/// or if their numbers have no expression. `cut` states the ends of the regions. Without `cut`, the smallest possible
/// regions are searched.
Learnt learn(const std::vector<const trace::RecordedRun*>& recorded, const std::optional<Cut>& cut = {});

/// Returns the index of the run with the most ranks.
std::size_t largest(const std::vector<Run>& runs);

/// Returns true if all runs have the same process grid of several ranks. Then they do not show what depends on the
/// grid.
bool have_one_grid(const Learnt& learnt);

/// Returns the parameters of the model that a run does not have.
std::vector<std::string> missing_parameters(const Learnt& learnt, const trace::RecordedRun& recorded);

/// Returns a run with its process grid and the parameters of the model.
Run run_as_learnt(const Learnt& learnt, const trace::RecordedRun& recorded);

/// Compares a run with a model that was learnt from other runs. The run must have all parameters of the model.
Agreement agreement(const Learnt& learnt, const trace::RecordedRun& recorded);

/// The visits of one rank at one place of computing. A visit is one execution of the place.
struct Visits {
    std::uint32_t part = 0;
    Values values{};              // values of the variables on this rank
    std::int64_t iterations = 1;  // number of iterations of the loop around the place
    double last_share = 0.0;      // share of visits in the last iteration, among those whose time is known
    std::int64_t times = 0;
    double seconds = 0.0;  // recorded seconds of one visit, as the mean over these iterations
};

/// Returns the visits of all ranks of a run, at the places where the model computes.
std::vector<Visits> visits(const Learnt& learnt, const trace::RecordedRun& recorded);

/// Returns the time of one visit in the model, in seconds. It comes from the kernel if the kernel replaces the law, and
/// otherwise from the law.
double time_of_visit(const Learnt& learnt, std::uint32_t part, const Values& values, std::int64_t iterations);

/// Returns the mean cost of the kernel in one visit. `last_share` is the share of visits in the last iteration of the
/// loop.
KernelCost kernel_cost(const Learnt& learnt, std::uint32_t part, const Values& values, double last_share);

/// Returns the variables on which numbers of the model depend. Variables that only determine the number of iterations
/// are excluded.
std::set<std::uint32_t> used_parameters(const Learnt& learnt);

/// Formats the number of iterations of a loop in PSL. Returns an empty text if no expression gives it.
std::string iterations_text(const Learnt& learnt, std::uint32_t loop);

/// Returns a name that a model can use: letters, digits and `_`, and neither a keyword of PSL nor a name that every
/// learnt model uses.
std::string name_in_model(const std::string& name);

/// Formats the model in PSL. `name` must be a valid name of PSL.
std::string model_text(const Learnt& learnt, const std::string& name);

/// Returns the time parameter of each place of computing. These parameters are the names of the blocks.
std::map<std::uint32_t, std::string> block_names(const Learnt& learnt);

/// Returns the name of an atom in a model, such as `nx_share`.
std::string name_of(const Atom& atom, const Variables& variables);

/// Formats the product of a law, such as `mk * nx_share and a constant`.
std::string formula_of(const Law& law, const Variables& variables);

/// A time parameter of the model, and its value in PSL on the host of the recording.
using NamedTime = std::pair<std::string, std::string>;
std::vector<NamedTime> time_parameters(const Learnt& learnt);

}  // namespace warpfront::learning
