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
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/trace/recorded_run.hpp"
#include "tools/learning/expressions.hpp"
#include "tools/learning/kernel.hpp"
#include "tools/learning/regions.hpp"
#include "tools/learning/structure.hpp"

namespace warpfront::learning {

/// The bytes of a step.
struct Size {
    Expression usual;
    std::optional<Expression> last{};  // on the last trip of its loop, where that differs
    bool by_distance = false;          // in a butterfly: times the distance
    std::optional<Mean> mean{};        // in place of both, where they depend on the code's data
    double spread = 0.0;               // then the standard deviation of a message about the mean of its run, relative
    double share = 0.0;                // and its mean share of the runs' bytes
    std::string place{};               // and the function that sends
};

/// A piece of computing.
struct Work {
    Law law;
    double first = 1.0;   // by what the first iteration takes longer, where that is a tenth or more
    double spread = 0.0;  // standard deviation of one execution, relative
    std::string place;    // the function that computes, where known
};

/// The value that a kernel's parameter has in a block.
struct KernelArgument {
    std::string text{};  // a number, or the subtask's default; if empty, the atoms hold
    Atom usual{};
    Atom last{};  // in the last iteration of the loop
    bool differs_at_last() const { return text.empty() && usual != last; }
};

/// A counted kernel in place of pieces of computing (counted.hpp).
struct CountedWork {
    std::shared_ptr<const Kernel> kernel;
    std::map<std::uint32_t, std::vector<KernelArgument>> arguments;  // by part that it replaces
    std::map<std::uint32_t, std::string> blocks;                     // names of all blocks, by part
    double rate = 0.0;                   // of the recording's processor, in operations per second
    std::vector<std::string> imports{};  // the files of the kernel, as the model names them
};

/// How far a run is as the model says.
struct Agreement {
    std::string run;
    std::uint64_t ranks = 0;
    std::uint64_t ranks_explained = 0;
    std::uint64_t operations = 0;        // of all ranks
    std::uint64_t operations_equal = 0;  // operation, partner and bytes
    double work = 0.0;                   // usual computing of all ranks where work stands, seconds
    double work_predicted = 0.0;         // likewise, by the laws
    double worst_rank = 0.0;             // the largest relative difference of a rank's computing
    double all_work = 0.0;               // all computing that was recorded, seconds
    double all_work_predicted = 0.0;     // all that the model computes
    double bytes = 0.0;                  // sent by all ranks
    double bytes_predicted = 0.0;
    double worst_bytes = 0.0;  // the largest relative difference of a phase, or where it has none of a function, with a
                               // hundredth of the bytes or more
};

struct Learnt {
    Variables variables;
    std::vector<Run> runs;
    Structure structure;
    std::map<std::uint32_t, Expression> trips;  // by part: of loops; of the iteration only where that is a simple one
    std::map<std::uint32_t, Size> sizes;        // of steps that have one
    std::map<std::uint32_t, Work> works;
    std::optional<CountedWork> counted{};    // in place of some of the works
    std::optional<std::uint32_t> iteration;  // the loop that is the model's iteration
    double left_out = 0.0;                   // computing between calls that is in no law, a share of all
    std::vector<std::string> open;           // numbers that another run would decide
    std::vector<std::string> unvaried;       // sizes of the array and parameters that all runs have in common
    std::vector<Refusal> refused;
    bool not_even_traced = false;      // what is refused cannot be replayed as a trace
    Cut cut;                           // of all runs
    std::vector<Region> regions;       // of the run with most ranks
    std::vector<Refusal> cut_since{};  // what was refused of the whole
    std::vector<Agreement> agreement;  // by run
};

/// What does not fold, or has no expression, before the regular part of the runs or behind it is a region; `cut` says
/// which, or else the smallest are looked for.
Learnt learn(const std::vector<const trace::RecordedRun*>& recorded, const std::optional<Cut>& cut = {});

/// The run with most ranks.
std::size_t largest(const std::vector<Run>& runs);

/// The parameters of the model that a run was not given as numbers.
std::vector<std::string> missing_parameters(const Learnt& learnt, const trace::RecordedRun& recorded);

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
