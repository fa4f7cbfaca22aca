// The result of learning: structure, expressions for numbers, laws for times, and the agreement with the runs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/from_code/learning/expressions.hpp"
#include "tools/from_code/learning/kernel.hpp"
#include "tools/from_code/learning/laws.hpp"
#include "tools/from_code/learning/means.hpp"
#include "tools/from_code/learning/regions.hpp"
#include "tools/from_code/learning/structure.hpp"

namespace warpfront::learning {

/// The bytes of a step.
struct Size {
    Expression usual;
    std::optional<Expression> last{};   // in the last iteration of its loop, if it differs there
    std::optional<Expression> slope{};  // added in each iteration of its loop after the first one
    bool by_distance = false;           // in a butterfly: the bytes are `usual` * the distance
    std::optional<Mean> mean{};         // replaces `usual` and `last` if the bytes depend on the code's data
    double spread = 0.0;  // with a mean: relative standard deviation of a message from the mean of its run
    double share = 0.0;   // with a mean: mean share of the runs' bytes
    std::string place{};  // with a mean: the function that sends
};

/// A piece of computing.
struct Work {
    Law law;
    double first = 1.0;         // factor of the first iteration, if it takes longer by a tenth or more
    double spread = 0.0;        // standard deviation of one execution, relative
    std::string place;          // the function that calls MPI after it, if known
    std::string phase;          // the phase of the recording, or that function
    std::vector<Law> rivals{};  // laws that the runs support nearly as well
    double picoseconds = 0.0;   // of all ranks of all runs
    double longest = 0.0;       // the largest value of the law on any rank of the runs, picoseconds
};

/// The value that a kernel's parameter has in a block.
struct KernelArgument {
    std::string text{};  // a number, or the subtask's default; if empty, the atoms apply
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

/// The computing of all ranks in one phase, in seconds.
struct PhaseWork {
    double measured = 0.0;
    double predicted = 0.0;
};

/// The agreement of a run with the model.
struct Agreement {
    std::string run;
    std::uint64_t ranks = 0;
    std::uint64_t ranks_explained = 0;
    std::uint64_t operations = 0;        // of all ranks
    std::uint64_t operations_equal = 0;  // operation, partner and bytes
    double work = 0.0;                   // usual computing of all ranks at the places of work, seconds
    double work_predicted = 0.0;         // `work` as the laws predict it
    double worst_rank = 0.0;             // the largest relative difference of a rank's computing
    std::map<std::string, PhaseWork> phases{};
    double beyond = 0.0;              // the longest visit of a block, as a multiple of the longest in the model's runs
    std::uint64_t moved_waits = 0;    // waits for sends that come later than in the model
    double all_work = 0.0;            // all computing that was recorded, seconds
    double all_work_predicted = 0.0;  // all computing of the model, seconds
    double bytes = 0.0;               // sent by all ranks
    double bytes_predicted = 0.0;
    std::string difference{};  // of the first rank that is not explained
    std::string refused{};     // why the model does not run on the ranks of this run
    double worst_bytes = 0.0;  // the largest relative difference in bytes of a phase (without phases: of a function)
                               // with a hundredth of the bytes or more
};

struct Learnt {
    Variables variables;
    std::vector<Run> runs;
    Structure structure;
    Calls exchanges;  // that send and receive at once
    std::map<std::uint32_t, Expression>
        iterations;                           // by part: of loops; of the iteration only if the expression is simple
    std::map<std::uint32_t, Size> sizes;      // of steps that have a size
    std::map<std::uint32_t, RootRule> roots;  // of collectives whose roots change
    std::map<std::uint32_t, Work> works;
    std::optional<CountedWork> counted{};    // replaces some of the works
    std::optional<std::uint32_t> iteration;  // the loop that is the model's iteration
    std::vector<std::string> open;           // numbers that another run would decide
    std::vector<std::string> unvaried;       // sizes of the process grid and parameters that are equal in all runs
    std::vector<Refusal> refused;
    bool not_even_traced = false;      // refused operations cannot be replayed as a trace either
    Cut cut;                           // of all runs
    std::vector<Region> regions;       // of the run with most ranks
    std::vector<Refusal> cut_since{};  // the refusals of the whole runs, which made regions necessary
    std::vector<Agreement> agreement;  // by run
};

}  // namespace warpfront::learning
