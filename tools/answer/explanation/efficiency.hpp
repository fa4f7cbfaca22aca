// The efficiency of a run by the factors of the POP methodology (Performance Optimisation and Productivity, "POP
// Standard Metrics for Parallel Performance Analysis"; Rosas, Gimenez & Labarta 2014, "Scalability prediction for
// fundamental performance factors"). Dimemas and Scalasca report the same factors. c(r) is the time that rank r
// computes, T the time of the run, and T' the time of the same run on an ideal network:
//
//   parallel efficiency       mean c / T     = load balance * communication efficiency
//   load balance              mean c / max c
//   communication efficiency  max c / T      = serialisation efficiency * transfer efficiency
//   serialisation efficiency  max c' / T'      loss by ranks that wait for each other
//   transfer efficiency       (T' / max c') / (T / max c)      loss by the cost of messages
//
// On an ideal network messages cost nothing: there is no processor time, no latency, no time per byte, and no waiting
// for shared resources. The order of events remains: a receive waits for its message, and a rendezvous for its receive.
// c' is the computing time in this run. Usually c' = c, and the transfer efficiency is T' / T. There are two
// exceptions. Cores that share memory may compute together more or less often, and periodic noise may interrupt other
// blocks. The serialisation efficiency takes both times from the ideal run, as POP defines it, and is at most 1.
// Therefore the transfer efficiency may exceed 1.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/runs/progress.hpp"

namespace warpfront::tools {

struct Efficiency {
    WideTime mean_compute{};
    WideTime most_compute{};
    WideTime time{};
    WideTime ideal{};               // time on an ideal network
    WideTime ideal_most_compute{};  // longest computing time of a rank on an ideal network

    double parallel() const { return seconds(mean_compute) / seconds(time); }
    double load_balance() const { return seconds(mean_compute) / seconds(most_compute); }
    double communication() const { return seconds(most_compute) / seconds(time); }
    double serialisation() const { return seconds(ideal_most_compute) / seconds(ideal); }
    double transfer() const { return communication() / serialisation(); }
};

/// Returns the experiment on a network whose messages cost nothing.
Experiment on_ideal_network(Experiment experiment);

/// Runs the experiment on an ideal network. `record` is the run with `options` on the actual network. Returns nothing
/// if no rank computes.
std::optional<Efficiency> efficiency_of(const Experiment& prepared, const record::Record& record,
                                        const engine::Options& options, ProgressMode mode);

std::string efficiency_text(const Efficiency& efficiency);
nlohmann::ordered_json efficiency_json(const Efficiency& efficiency);

}  // namespace warpfront::tools
