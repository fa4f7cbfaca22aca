// The sub-commands of `warpfront`. Results go to stdout, messages to stderr. Each throws BadInput, RunFailed or
// engine::Interrupted; command_line.cpp converts these into an exit status.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/engine/engine.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/prediction/option_values.hpp"
#include "tools/answer/prediction/timeline.hpp"
#include "tools/from_code/kernels/opcodes.hpp"
#include "tools/from_code/tracing/recorder.hpp"
#include "tools/study/comparison/comparison.hpp"
#include "tools/study/comparison/rows.hpp"

namespace warpfront::tools {

enum class ExitStatus : int {
    done = 0,
    run_failed = 1,  // deadlock, virtual time overflow, disagreement beyond tolerance
    bad_input = 2,   // files, command lines, and files that cannot be written
    internal_fault = 3,
    hung_up = 129,      // by SIGHUP: the terminal is closed
    interrupted = 130,  // by Ctrl-C
    terminated = 143,   // by SIGTERM
};

/// Returns the destination of an option such as `--json`, checked to be writable; nothing without the option.
inline std::optional<results::Output> output_of(const std::optional<std::string>& target) {
    return target ? std::optional<results::Output>(std::in_place, *target) : std::nullopt;
}

/// The files in the folder of `study` or `sources`: NAME.json, NAME.csv, and the page NAME.html.
class FolderFiles {
public:
    /// Checks that each file can be written.
    FolderFiles(const std::filesystem::path& folder, const std::string& name);
    /// Writes each file even if another fails.
    void write(const nlohmann::ordered_json& data, const std::string& csv) const;

private:
    std::string json_name_;
    results::Output json_;
    results::Output csv_;
    results::Output html_;
};

/// `warpfront run`: one prediction.
struct RunOptions {
    std::filesystem::path scenario;
    std::vector<std::string> sets;  // arguments of --set, in order
    Engine engine = Engine::event;
    engine::Replay replay = engine::Replay::auto_;
    unsigned threads = 1;
    std::optional<std::uint32_t> samples;  // an ensemble of so many runs, whose uncertain values are drawn as well
    std::optional<std::uint32_t> seeds;    // an ensemble of so many runs, from the scenario's seed on
    std::optional<std::string> json;       // each a file, or "-" for stdout in place of the table
    std::optional<std::string> csv;
    std::optional<std::string> ranks;  // a file for the breakdown of every rank, as CSV
    TimelineOptions timeline;
    bool path = false;   // with the critical path
    bool quiet = false;  // the predicted time alone
};
ExitStatus run(const RunOptions& options);

/// `warpfront explain`: what limits the time, and what would shorten it.
struct ExplainOptions {
    std::filesystem::path scenario;
    std::vector<std::string> sets;
    engine::Replay replay = engine::Replay::auto_;
    bool reruns = false;  // runs again with each kind of cost changed
    std::optional<std::string> json;
    std::optional<std::string> csv;
    bool quiet = false;
};
ExitStatus explain(const ExplainOptions& options);

/// `warpfront estimate`: the messages, memory and time that `run` would need.
struct EstimateOptions {
    std::filesystem::path scenario;
    std::vector<std::string> sets;
    engine::Replay replay = engine::Replay::auto_;
    unsigned threads = 1;
    std::optional<std::string> json;
    std::optional<std::string> csv;
};
ExitStatus estimate(const EstimateOptions& options);

/// `warpfront compare`: engines, and published runs if given, side by side.
struct CompareOptions : ComparisonRequest {
    std::optional<Percent> tolerance;
    std::optional<std::string> json;  // each a file, or "-" for stdout in place of the table
    std::optional<std::string> csv;
};
ExitStatus compare(const CompareOptions& options);

/// `warpfront study`: a scenario over axes of values.
struct StudyOptions {
    std::filesystem::path study;       // or a scenario, with `vary`
    std::vector<std::string> sets;     // of all points
    std::vector<std::string> vary;     // axes, arguments of --vary
    std::optional<std::string> ranks;  // an axis of ranks
    std::optional<std::string> x;      // the axis of pictures
    std::vector<std::string> best;     // COLUMN:KEY
    std::vector<Engine> engines;       // in place of the study's; empty: the study's
    std::optional<std::size_t> point;  // this one alone
    std::optional<unsigned> jobs;      // points side by side; none: as many as the host has cores
    std::optional<std::filesystem::path> out;
    std::optional<std::string> json;
    bool count = false;  // prints the number of points, runs none
    bool quiet = false;
    /// The position of this process among those of a launcher.
    struct Process {
        unsigned on_this_computer = 1;
        bool helps = false;  // runs points that no other process has begun; process 0 writes the answer
    } process{};
};
ExitStatus study(const StudyOptions& options);

/// `warpfront sources`: published values beside the values computed here.
struct SourcesOptions {
    std::vector<std::filesystem::path> items;  // files or folders
    bool quick = false;                        // without long runs of the event engine
    std::optional<unsigned> threads;           // none: as many as the host has cores
    std::filesystem::path out = "sources.results";
    std::optional<std::string> json;
    bool quiet = false;
};
ExitStatus sources(const SourcesOptions& options);

/// `warpfront report`: results and timelines as one page.
struct ReportOptions {
    std::vector<std::filesystem::path> results;
    std::filesystem::path out;  // a file, or "-" for stdout
};
ExitStatus report(const ReportOptions& options);

/// `warpfront serve`: the page of a scenario with adjustable parts, served on the loopback until a signal ends it.
struct ServeOptions {
    std::vector<std::filesystem::path> files;  // a scenario, or results
    std::vector<std::string> sets;
    std::optional<unsigned> threads;       // none: as many as the host has cores
    std::uint32_t port = 0;                // 0: a free one
    std::filesystem::path out = "served";  // of saved scenarios
};
ExitStatus serve(const ServeOptions& options);

/// `warpfront calibrate`: terms of a machine fitted to measured runs.
struct CalibrateOptions {
    std::filesystem::path plan;
    std::optional<std::filesystem::path> out;  // in place of the file that the plan names
    unsigned threads = 1;
    std::optional<std::string> json;
    std::optional<std::string> csv;
};
ExitStatus calibrate(const CalibrateOptions& options);

/// `warpfront fit`: rows of a hardware file from tables of benchmarks.
struct FitOptions {
    std::vector<std::filesystem::path> tables;  // of the network
    std::vector<std::string> layers;            // LAYER=TABLE
    std::optional<std::filesystem::path> like;  // a hardware file, the base of the new one
    std::optional<std::uint64_t> eager;         // the library's limit, in bytes
    std::optional<double> overhead;             // o_send and o_recv each, in seconds
    std::string out;                            // a file, or "-" for stdout
    std::optional<std::string> json;
    std::optional<std::string> csv;
};
ExitStatus fit(const FitOptions& options);

/// `warpfront trace`: the scenario's messages as SimGrid's time-independent traces.
struct TraceOptions {
    std::filesystem::path scenario;
    std::vector<std::string> sets;
    std::filesystem::path out;  // a folder, created if it does not exist
};
ExitStatus trace_scenario(const TraceOptions& options);

/// `warpfront record`: an MPI code run with the tracer in it.
struct RecordOptions : tracing::RecordRequest {
    std::vector<std::string> parameter_words;     // NAME=VALUE
    std::string launcher_words;                   // the launcher and its options in one
    std::optional<std::filesystem::path> object;  // write the tracer as an object or a library, and run nothing
};
ExitStatus record(const RecordOptions& options);

/// `warpfront learn`: a model from recorded runs.
struct LearnOptions {
    std::vector<std::filesystem::path> runs;
    std::vector<std::filesystem::path> checks{};  // runs that the model is compared with, not learnt from
    std::filesystem::path out;                    // the model; a scenario of its name stands beside it
    std::string platform;                         // of the scenario
    std::string speed;                            // of the processor that was recorded on
    bool strict = false;                          // no part of the runs is left out
    std::optional<std::string> json;
    std::optional<OptionValue> costs{};             // a file with a counted kernel; the next ones go with it
    std::optional<OptionValue> subtask{};           // of that file
    std::vector<OptionValue> blocks{};              // of the model, which the kernel replaces
    std::vector<OptionValue> bindings{};            // PARAMETER=NAME
    std::vector<std::filesystem::path> hardware{};  // files with times of operations
};
ExitStatus learn(const LearnOptions& options);

/// `warpfront check`: all faults of models, scenarios and hardware files; the description of a machine.
struct CheckOptions {
    std::vector<std::filesystem::path> files{};
    std::optional<std::filesystem::path> platform{};  // a hardware file to describe
    std::optional<std::filesystem::path> scenario{};  // whose ranks are on it; without a platform, on its own
    std::vector<std::string> sets{};                  // of the scenario
    bool costs = false;                               // of a model in a scenario, or of a scenario's own; in `files`
    bool ir = false;                                  // print the program of a scenario, with its own model or another
    bool format = false;                              // print the models in their canonical layout
};
ExitStatus check(const CheckOptions& options);

/// `warpfront costs`: the operations of a function of a program, counted.
struct CostsOptions {
    std::filesystem::path program;
    OptionValue kernel;                             // the function
    std::vector<OptionValue> decks;                 // arguments of --deck
    std::optional<OptionValue> time;                // a deck on which the function is timed
    std::optional<std::filesystem::path> coverage;  // the program with counts of branches
    std::optional<std::filesystem::path> input;     // a template
    std::vector<std::string> arguments;             // of the program, with placeholders
    std::optional<std::string> out;                 // a model, or "-" for stdout in place of the table
};
ExitStatus costs(const CostsOptions& options);

/// `warpfront opcodes`: the times of operations on the host.
struct OpcodesOptions {
    kernels::Chains chains = kernels::Chains::independent;
    std::optional<std::string> rate;  // of the hardware object, in place of the measured one
    std::optional<std::string> out;   // a model, or "-" for stdout in place of the table
};
ExitStatus opcodes(const OpcodesOptions& options);

/// Serves an editor on stdin and stdout until it ends the session. An unexpected end is a failed run.
ExitStatus lsp();

// The command that reproduces a run or a study, as the results name it. It has all options that change the answer, but
// none that only change how it is computed or where it is written.

/// Formats "warpfront run SCENARIO --set ...", with each word quoted for a shell if necessary.
std::string command_words(const RunOptions& options);
std::string command_words(const StudyOptions& options);
std::string command_words(const CostsOptions& options);

}  // namespace warpfront::tools
