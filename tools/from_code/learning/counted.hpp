// Replacement of learnt blocks of computing by a counted kernel, and comparison of the count with the recorded times.
//
// A block consists of all pieces of computing with one time parameter in the model, such as `main_work`. One call of
// the kernel replaces one visit of a block: the computing of a rank between two MPI calls. The kernel's parameters are
// bound by name:
//
//   nx          a parameter of the runs: the rank's share of it, if the messages or the loops of the block have one;
//               the planes of a tile, if the loop of the block cuts it into tiles; otherwise its value
//   nx_share    a value of the learnt model
//   mmi = 3     the subtask's default, if the model has no such name
//
// The implied rate of a visit is the number of operations of the kernel divided by the measured time less the kernel's
// `time` entries. If the count describes the block, all visits imply the same rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/from_code/learning/learn.hpp"

namespace warpfront::learning {

/// Replaces the blocks that the request names by the kernel. If it names none, replaces the block with the most
/// computing, and blocks of the same function and product whose implied rate is within a quarter of its rate. The rate
/// of the processor is `rate` if it is given, otherwise the median of the implied rates.
/// Throws BadInput: unknown_name (a block or a bound name), missing_parameter (nothing is bound to a parameter),
/// bad_option, counts_do_not_fit (no operations, or more `time` than was measured).
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
    double predicted = 0.0;  // seconds of a visit according to the kernel
};

struct CountedCheck {
    std::string call;  // of the kernel in the model
    std::vector<std::string> blocks;
    double share = 0.0;  // of the recorded computing that the model has
    std::vector<CountedRow> rows;
    double implied_rate = 0.0;      // the median over blocks, ranks and learnt runs
    double residual = 0.0;          // root mean square of measured over counted times at that rate, less one
    double residual_of_laws = 0.0;  // the same for the learnt laws
    std::vector<std::string> notes{};
    std::vector<std::string> warnings{};
};

/// Compares the kernel of a learnt model, which must have one, with the recorded times. The runs in `checked` were not
/// used for learning.
CountedCheck check_counted(const Learnt& learnt, const std::vector<const trace::RecordedRun*>& checked);

std::string text_of(const CountedCheck& check);
nlohmann::ordered_json to_json(const CountedCheck& check);

}  // namespace warpfront::learning
