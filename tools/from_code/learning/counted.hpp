// Replaces learnt blocks of computing by a counted kernel, and compares the count with the recorded times.
//
// A block consists of all computing that has one time parameter in the model, such as `main_work`. A visit of a block
// is the computing of a rank between two MPI calls. One call of the kernel replaces one visit. The kernel's parameters
// are bound by name:
//
//   nx          a parameter of the runs. Its value is the rank's share if the messages or the loops of the block
//               contain a share. It is the number of planes in a tile if the loop of the block divides it into tiles.
//               Otherwise it is the whole value
//   nx_share    a value of the learnt model
//   mmi = 3     the subtask's default, if the model has no such name
//
// The implied rate of a visit is the number of operations of the kernel, divided by the measured time without the
// kernel's `time` entries. If the count describes the block, all visits imply the same rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/from_code/learning/learn.hpp"

namespace warpfront::learning {

/// Replaces the blocks that the request names by the kernel. If it names none, replaces the block with the most
/// computing, and all blocks with the same function and product whose implied rate differs by less than a quarter. The
/// rate of the processor is `rate`, or the median of the implied rates if `rate` is empty. Throws BadInput:
/// unknown_name (a block or a bound name), missing_parameter (nothing is bound to a parameter), bad_option,
/// counts_do_not_fit (no operations, or more `time` than was measured).
void put_in_place(Learnt& learnt, const KernelRequest& request, const std::shared_ptr<const Kernel>& kernel,
                  const std::optional<double>& rate);

/// The comparison for one block in one run.
struct CountedRow {
    std::string block;
    std::string place;  // call sites of the MPI calls that end the block
    std::string run;
    bool is_learnt_from = true;
    std::int64_t visits = 0;    // number of visits of all ranks
    double seconds = 0.0;       // measured time of a visit
    double operations = 0.0;    // counted operations of a visit
    double implied_rate = 0.0;  // operations per second
    double least = 0.0;         // lowest rate of a rank
    double most = 0.0;
    double predicted = 0.0;  // time of a visit by the kernel, in seconds
};

struct CountedCheck {
    std::string call;  // the kernel's call in the model
    std::vector<std::string> blocks;
    double share = 0.0;  // share of the recorded computing that the model contains
    std::vector<CountedRow> rows;
    double implied_rate = 0.0;      // median over blocks, ranks and learnt runs
    double residual = 0.0;          // root mean square of measured time / counted time at that rate - 1
    double residual_of_laws = 0.0;  // root mean square of the same differences with the learnt laws
    std::vector<std::string> notes{};
    std::vector<std::string> warnings{};
};

/// Compares the kernel with the recorded times. The model must have a kernel. The runs in `checked` were not used for
/// learning.
CountedCheck check_counted(const Learnt& learnt, const std::vector<const trace::RecordedRun*>& checked);

std::string text_of(const CountedCheck& check);
nlohmann::ordered_json to_json(const CountedCheck& check);

}  // namespace warpfront::learning
