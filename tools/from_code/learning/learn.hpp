// Learning of a model from recorded runs of one code.
//
//   Learnt learnt = learn(runs);                 // structure, numbers as expressions, times as laws
//   std::string text = model_text(learnt, ...);  // as PSL
//
// Nothing is guessed. If ranks do not fit one structure, or no expression gives a number, `refused` contains the reason
// with its place in the code, and there is no model. Numbers that several expressions explain equally are in `open`.
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

/// Learns a model. Operations before and after the regular part of the runs become regions if they do not fold into
/// loops, or if their numbers have no expression. `cut` gives the ends of the regions; without `cut`, the smallest
/// regions are searched.
Learnt learn(const std::vector<const trace::RecordedRun*>& recorded, const std::optional<Cut>& cut = {});

/// Returns the index of the run with most ranks.
std::size_t largest(const std::vector<Run>& runs);

/// Returns whether all runs have the same process grid of several ranks, so that they do not show what depends on it.
bool have_one_grid(const Learnt& learnt);

/// Returns the parameters of the model for which a run has no numbers.
std::vector<std::string> missing_parameters(const Learnt& learnt, const trace::RecordedRun& recorded);

/// Returns a run with its process grid and the parameters of the model.
Run run_as_learnt(const Learnt& learnt, const trace::RecordedRun& recorded);

/// Compares a run with a model that was learnt from other runs. The run has all parameters of the model.
Agreement agreement(const Learnt& learnt, const trace::RecordedRun& recorded);

/// The computing of one rank at one place of the structure. Each execution of the place is a visit.
struct Visits {
    std::uint32_t part = 0;
    Values values{};              // of the rank
    std::int64_t iterations = 1;  // iterations of the loop around it
    double last_share = 0.0;      // of the last iteration, among those whose time is known
    std::int64_t times = 0;
    double seconds = 0.0;  // of one visit, as recorded: the mean over these iterations
};

/// Returns the computing of all ranks of a run, at the places where the model computes.
std::vector<Visits> visits(const Learnt& learnt, const trace::RecordedRun& recorded);

/// Returns the time of one visit in the model, in seconds: from the kernel if it replaces the law, otherwise from the
/// law.
double time_of_visit(const Learnt& learnt, std::uint32_t part, const Values& values, std::int64_t iterations);

/// Returns the mean cost of the kernel in one visit, with this share of visits in the last iteration of the loop.
KernelCost kernel_cost(const Learnt& learnt, std::uint32_t part, const Values& values, double last_share);

/// Returns the variables on which numbers of the model depend, except those that only give its number of iterations.
std::set<std::uint32_t> used_parameters(const Learnt& learnt);

/// Formats the number of iterations of a loop in PSL; empty if no expression gives it.
std::string iterations_text(const Learnt& learnt, std::uint32_t loop);

/// Returns a name in the form used in models: letters, digits and `_`, distinct from the keywords of PSL and from the
/// names that every learnt model uses.
std::string name_in_model(const std::string& name);

/// Formats the model in PSL; `name` is a valid name of PSL.
std::string model_text(const Learnt& learnt, const std::string& name);

/// Returns the time parameters of pieces of computing, by part. They are the names of the blocks.
std::map<std::uint32_t, std::string> block_names(const Learnt& learnt);

/// Returns the name of an atom in a model, such as `nx_share`.
std::string name_of(const Atom& atom, const Variables& variables);

/// Formats the product of a law, such as `mk * nx_share and a constant`.
std::string formula_of(const Law& law, const Variables& variables);

/// The name of a parameter of the model that is a time, and its value in PSL on the host of the recording.
using NamedTime = std::pair<std::string, std::string>;
std::vector<NamedTime> time_parameters(const Learnt& learnt);

}  // namespace warpfront::learning
