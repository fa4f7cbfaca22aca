// The needs of `warpfront run`: messages, memory, time. Memory and messages are counted
// (simulator/engine/estimate.hpp). The time is that of the messages to be stepped, at a measured rate: the event engine
// runs the same program on the same machine for some seconds and is stopped. Of task lists, which have no messages, it
// is that of the tasks of the outermost lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/units/bytes.hpp"
#include "tools/experiment/experiment.hpp"

namespace warpfront::tools {

struct Estimate {
    std::uint64_t messages = 0;             // of the model
    std::uint64_t messages_stepped = 0;     // of these, simulated one by one
    std::uint64_t collective_messages = 0;  // as in record::Work, like the next
    std::uint64_t collective_messages_stepped = 0;
    Bytes state;        // of the engine
    Bytes peak_rss;     // of the whole process
    Bytes available;    // on this computer, for the run
    bool fits = false;  // whether the run fits
    /// Where senders may run ahead of their receivers.
    struct Queued {
        std::uint64_t messages = 0;  // at most, at once
        Bytes bytes;                 // that they take beyond `peak_rss`
        Bytes limit;                 // with more `run` ends
    };
    std::optional<Queued> queued{};
    std::string run_ahead{};       // which rank runs ahead of which, in words; may be empty
    std::optional<double> wall_s;  // of the engine; none if it does not fit or no message was stepped in time
    std::optional<double> wall_s_without_recurrence{};  // longer, if iterations are expected to recur and do not
};

/// Throws RunFailed, BadInput, engine::Interrupted.
Estimate estimate_run(const Experiment& prepared, const engine::Options& options);

/// Whether a run of the event engine would step more messages than `most`, those of collectives included.
bool steps_more(const Experiment& prepared, std::uint64_t most);

std::string render(const Estimate& estimate);

/// Schema "warpfront.estimate/1".
nlohmann::ordered_json to_json(const Estimate& estimate);

}  // namespace warpfront::tools
