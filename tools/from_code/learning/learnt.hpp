// The result of learning: structure, expressions for numbers, laws for times, and how well they agree with the runs.
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

/// The number of bytes of a step.
struct Size {
    Expression usual;
    std::optional<Expression> last{};   // bytes in the last iteration of its loop, if they differ there
    std::optional<Expression> slope{};  // bytes that each iteration of its loop after the first one adds
    bool by_distance = false;           // true in a butterfly if the bytes are `usual` * the distance
    std::optional<Mean> mean{};         // replaces `usual` and `last` if the bytes depend on the code's data
    double spread = 0.0;                // of a mean: relative standard deviation of messages from the mean of their run
    double share = 0.0;                 // of a mean: mean share of the runs' bytes
    std::string place{};                // of a mean: the function that sends
};

/// The computing at one place of the structure.
struct Work {
    Law law;
    double first = 1.0;         // factor of the first iteration, if it takes longer by at least a tenth
    double spread = 0.0;        // relative standard deviation of one execution
    std::string place;          // the function that calls MPI afterwards, if known
    std::string phase;          // the phase of the recording, or the function above
    std::vector<Law> rivals{};  // laws that the runs support nearly as well
    double picoseconds = 0.0;   // sum over all ranks of all runs
    double longest = 0.0;       // largest value of the law on any rank of the runs, in picoseconds
};

/// The argument for a kernel's parameter in a block.
struct KernelArgument {
    std::string text{};  // a number, or the subtask's default; if empty, the atoms apply
    Atom usual{};
    Atom last{};  // value in the last iteration of the loop
    bool differs_at_last() const { return text.empty() && usual != last; }
};

/// A counted kernel that replaces computing (counted.hpp).
struct CountedWork {
    std::shared_ptr<const Kernel> kernel;
    /// arguments of the kernel, for each part that it replaces
    std::map<std::uint32_t, std::vector<KernelArgument>> arguments;
    std::map<std::uint32_t, std::string> blocks;  // name of the block of each part, for all blocks
    double rate = 0.0;                            // rate of the recording's processor, in operations per second
    std::vector<std::string> imports{};           // the files of the kernel, as the model imports them
};

/// The computing of all ranks in one phase, in seconds.
struct PhaseWork {
    double measured = 0.0;
    double predicted = 0.0;
};

/// The agreement of the model with a run.
struct Agreement {
    std::string run;
    std::uint64_t ranks = 0;
    std::uint64_t ranks_explained = 0;
    std::uint64_t operations = 0;        // operations of all ranks
    std::uint64_t operations_equal = 0;  // operations with the same kind, partner and bytes in the model
    double work = 0.0;                   // usual computing of all ranks at the places of work, in seconds
    double work_predicted = 0.0;         // `work` by the laws, in seconds
    double worst_rank = 0.0;             // largest relative difference in the computing of a rank
    std::map<std::string, PhaseWork> phases{};
    double beyond = 0.0;              // longest visit of a block, relative to the longest in the runs of the model
    std::uint64_t moved_waits = 0;    // waits for sends that come later than in the model
    double all_work = 0.0;            // all recorded computing, in seconds
    double all_work_predicted = 0.0;  // all computing of the model, in seconds
    double bytes = 0.0;               // bytes that all ranks send
    double bytes_predicted = 0.0;
    std::string difference{};  // difference of the first rank that the model does not explain
    std::string refused{};     // reason why the model does not run on the ranks of this run
    /// largest relative difference in the bytes of a phase, or of a function if there are no phases; only those with at
    /// least a hundredth of the bytes count
    double worst_bytes = 0.0;
};

struct Learnt {
    Variables variables;
    std::vector<Run> runs;
    Structure structure;
    Calls exchanges;  // that send and receive at once
    std::map<std::uint32_t, Expression>
        iterations;                           // by part: of loops; of the iteration only if the expression is simple
    std::map<std::uint32_t, Size> sizes;      // of steps that have a size
    std::map<std::uint32_t, RootRule> roots;  // rules of collectives whose root changes, by part
    std::map<std::uint32_t, Work> works;
    std::optional<CountedWork> counted{};    // a kernel that replaces some of the works
    std::optional<std::uint32_t> iteration;  // the loop that is the model's iteration
    std::vector<std::string> open;           // numbers that another run would decide
    std::vector<std::string> unvaried;       // sizes of the process grid and parameters with the same value in all runs
    std::vector<Refusal> refused;
    bool not_even_traced = false;      // true if the refused operations cannot be replayed as a trace either
    Cut cut;                           // the ends of the regions, the same in all runs
    std::vector<Region> regions;       // regions of the run with the most ranks
    std::vector<Refusal> cut_since{};  // reasons why the whole runs could not be learnt, if there are regions
    std::vector<Agreement> agreement;  // agreement with each run
};

}  // namespace warpfront::learning
