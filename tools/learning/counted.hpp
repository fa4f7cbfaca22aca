// A counted kernel in place of learnt blocks of computing, and the recorded times beside the count.
//
// A block is all pieces of computing with one time parameter in the model, such as `main_work`. One call of the kernel
// stands for one visit of a block: what a rank computes between two calls of MPI. The kernel's parameters are bound by
// name:
//
//   nx          a parameter of the runs: the rank's share of it, if the messages or the loops of the block have one;
//               the planes of a tile, if the loop of the block cuts it into tiles; else its value
//   nx_share    a value of the learnt model
//   mmi = 3     the subtask's default, if the model has no such name
//
// The implied rate of a visit is the kernel's operations over the measured time less the kernel's `time` entries. If
// the count describes the block, all visits imply one rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/learning/learn.hpp"

namespace warpfront::learning {

/// Puts the kernel in place of the blocks that the request names. Without names these are the block that takes most of
/// the computing, and blocks of the same function and product whose implied rate is within a quarter of it. The rate
/// of the processor is `rate` if it is given, else the median of the implied rates.
/// Throws BadInput: unknown_name (a block or a bound name), missing_parameter (that nothing is bound to), bad_option,
/// counts_do_not_fit (no operations, or more `time` than was measured).
void put_in_place(Learnt& learnt, const KernelRequest& request, const std::shared_ptr<const Kernel>& kernel,
                  const std::optional<double>& rate);

/// One block on one run.
struct CountedRow {
    std::string block;
    std::string place;  // of the MPI calls that end the block
    std::string run;
    bool is_learnt_from = true;
    std::int64_t visits = 0;    // of all ranks
    double seconds = 0.0;       // of a visit, measured
    double operations = 0.0;    // of a visit, counted
    double implied_rate = 0.0;  // operations per second
    double least = 0.0;         // of a rank
    double most = 0.0;
    double predicted = 0.0;  // seconds of a visit, by the kernel
};

struct CountedCheck {
    std::string call;  // of the kernel in the model
    std::vector<std::string> blocks;
    double share = 0.0;  // of the recorded computing that the model has
    std::vector<CountedRow> rows;
    double implied_rate = 0.0;      // the median over blocks, ranks and learnt runs
    double residual = 0.0;          // root mean square of measured over counted times at that rate, less one
    double residual_of_laws = 0.0;  // likewise by the learnt laws
    std::vector<std::string> notes{};
    std::vector<std::string> warnings{};
};

/// The learnt model has a kernel. `checked` are runs that it was not learnt from.
CountedCheck check_counted(const Learnt& learnt, const std::vector<const trace::RecordedRun*>& checked);

std::string text_of(const CountedCheck& check);
nlohmann::ordered_json to_json(const CountedCheck& check);

}  // namespace warpfront::learning
