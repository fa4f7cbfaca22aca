// The needs of `warpfront run`: messages, memory, time. Memory and messages are counted
// (simulator/engine/estimate.hpp). The time is extrapolated: the event engine runs the same program on the same machine
// for some seconds, and the rate of its messages is applied to all messages to be simulated. Task lists have no
// messages; their rate is that of the tasks of the outermost lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

struct Estimate {
    std::uint64_t messages = 0;             // messages of the model
    std::uint64_t messages_stepped = 0;     // messages of the model that are simulated one by one
    std::uint64_t collective_messages = 0;  // messages of collectives, as in record::Work
    std::uint64_t collective_messages_stepped = 0;
    Bytes state;        // memory of the engine
    Bytes peak_rss;     // memory of the whole process
    Bytes available;    // memory available on this host
    bool fits = false;  // true if the run fits into the available memory
    /// Queued messages, if senders may run ahead of their receivers.
    struct Queued {
        std::uint64_t messages = 0;  // the most at any time
        Bytes bytes;                 // memory of these messages beyond `peak_rss`
        Bytes limit;                 // memory beyond which `run` fails
    };
    std::optional<Queued> queued{};
    std::string run_ahead{};  // names the ranks that run ahead, in words; may be empty
    /// Time of the engine; empty if the run does not fit or no message was simulated in time.
    std::optional<double> wall_s{};
    std::optional<double> wall_s_without_recurrence{};  // the time if iterations do not recur as expected
};

/// Estimates a run. Throws RunFailed, BadInput, engine::Interrupted.
Estimate estimate_run(const Experiment& prepared, const engine::Options& options);

/// Returns true if a run of the event engine would simulate more messages than `most`, including those of collectives.
bool steps_more(const Experiment& prepared, std::uint64_t most);

std::string render(const Estimate& estimate);

/// Returns the JSON, schema "warpfront.estimate/1".
nlohmann::ordered_json to_json(const Estimate& estimate);

}  // namespace warpfront::tools
