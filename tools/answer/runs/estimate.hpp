// The needs of `warpfront run`: messages, memory and time. Memory and messages are counted
// (simulator/engine/estimate.hpp). The time is extrapolated: the event engine runs the same program on the same machine
// for some seconds, and all messages are assumed to be simulated at this rate. Task lists have no messages; their rate
// is that of the tasks in the outermost lists.
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
    /// Messages that may be queued, if senders can run ahead of their receivers.
    struct Queued {
        std::uint64_t messages = 0;  // largest number of queued messages at any time
        Bytes bytes;                 // memory of these messages, in addition to `peak_rss`
        Bytes limit;                 // `run` fails if queued messages need more memory
    };
    std::optional<Queued> queued{};
    std::string run_ahead{};  // description of the ranks that run ahead; may be empty
    /// Time of the engine. Empty if the run does not fit, or if no message was simulated during the timed run.
    std::optional<double> wall_s{};
    std::optional<double> wall_s_without_recurrence{};  // time if iterations do not recur, although this is expected
};

/// Estimates a run. Throws RunFailed, BadInput, engine::Interrupted.
Estimate estimate_run(const Experiment& prepared, const engine::Options& options);

/// Returns true if the event engine would simulate more than `most` messages, including those of collectives.
bool steps_more(const Experiment& prepared, std::uint64_t most);

std::string render(const Estimate& estimate);

/// Returns JSON with the schema "warpfront.estimate/1".
nlohmann::ordered_json to_json(const Estimate& estimate);

}  // namespace warpfront::tools
