// The verdict on a trial: its experiment is run in every way that must give the same result, and the outcomes are
// compared.
#pragma once

#include "tests/campaign/trial.hpp"

namespace warpfront::campaign {

struct Verdict {
    enum class Kind : std::uint8_t {
        same,     // in every way
        refused,  // bad input, in every way
        differs,  // in some ways
        fault,    // an internal fault
        crashed,  // a signal ended it, a time limit's too
    };
    Kind kind = Kind::same;
    std::string way;                  // options of the run that differs or failed: "--replay auto --threads 2"
    std::vector<std::string> lines;   // differences, reasons for a refusal, or failures
    std::uint64_t stepped = 0;        // messages, of all ways
    bool skipped_iterations = false;  // by the first run with `--replay auto`
    bool deadlock = false;            // in every way
    bool overflow = false;            // of virtual time, in every way
    double wall_s = 0.0;

    bool failed() const { return kind == Kind::differs || kind == Kind::fault || kind == Kind::crashed; }
};

/// Runs a trial in full and skipping, on one, two and three threads, in this process. Its files must exist.
Verdict try_all_ways(const Trial& trial);

/// Converts a verdict to one line of JSON, and back. Throws nlohmann::json::exception.
std::string text_of(const Verdict& verdict);
Verdict read_verdict(const std::string& text);

}  // namespace warpfront::campaign
