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
    bad_input = 2,   // faults of files and command lines, and files that cannot be written
    internal_fault = 3,
    hung_up = 129,      // interrupted by SIGHUP: the terminal is closed
    interrupted = 130,  // interrupted by Ctrl-C
    terminated = 143,   // interrupted by SIGTERM
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
    std::optional<std::uint32_t> samples;  // number of runs with different seeds and drawn values
    std::optional<std::uint32_t> seeds;    // number of runs with different seeds, beginning with the scenario's
    std::optional<std::string> json;       // file for the JSON; "-": stdout, in place of the table
    std::optional<std::string> csv;        // file for the CSV; "-": stdout, in place of the table
    std::optional<std::string> ranks;      // file for the breakdown of every rank, as CSV
    TimelineOptions timeline;
    bool path = false;   // follow the critical path
    bool quiet = false;  // print only the predicted time
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
    std::optional<std::string> json;
    std::optional<std::string> csv;
};
ExitStatus compare(const CompareOptions& options);

/// `warpfront study`: a scenario over axes of values.
struct StudyOptions {
    std::filesystem::path study;         // a study, or a scenario with `vary`
    std::vector<std::string> sets;       // overrides of all points
    std::vector<std::string> vary;       // axes: arguments of --vary
    std::optional<std::string> ranks;    // an axis of ranks
    std::optional<std::string> x;        // the axis of the charts
    std::vector<std::string> best;       // arguments COLUMN:KEY
    std::vector<Engine> engines;         // engines that replace those of the study; empty: no change
    std::optional<std::uint32_t> seeds;  // number of seeds of each point; replaces `seeds` of the file
    std::optional<std::size_t> point;    // the only point to run
    std::optional<unsigned> jobs;        // number of parallel points; none: as many as the host has cores
    std::optional<std::filesystem::path> out;
    std::optional<std::string> json;
    bool count = false;  // print the number of points, and run none
    bool quiet = false;
    /// The position of this process among those of a launcher.
    struct Process {
        unsigned on_this_computer = 1;
        bool helps = false;  // true for all processes but the first, which writes the answer
    } process{};
};
ExitStatus study(const StudyOptions& options);

/// `warpfront sources`: published values beside the values computed here.
struct SourcesOptions {
    std::vector<std::filesystem::path> items;  // files or folders
    bool quick = false;                        // skip long runs of the event engine
    std::optional<unsigned> threads;           // number of threads; none: as many as the host has cores
    std::filesystem::path out = "sources.results";
    std::optional<std::string> json;
    bool quiet = false;
};
ExitStatus sources(const SourcesOptions& options);

/// `warpfront report`: results and timelines as one page.
struct ReportOptions {
    std::vector<std::filesystem::path> results;
    std::filesystem::path out;  // file of the page; "-": stdout
};
ExitStatus report(const ReportOptions& options);

/// `warpfront serve`: the page of a scenario with adjustable parts, served on the loopback until a signal ends it.
struct ServeOptions {
    std::vector<std::filesystem::path> files;  // a scenario, or results
    std::vector<std::string> sets;
    std::optional<unsigned> threads;       // number of threads; none: as many as the host has cores
    std::uint32_t port = 0;                // 0: a free port
    std::filesystem::path out = "served";  // folder of saved scenarios
};
ExitStatus serve(const ServeOptions& options);

/// `warpfront calibrate`: terms of a machine fitted to measured runs.
struct CalibrateOptions {
    std::filesystem::path plan;
    std::optional<std::filesystem::path> out;  // replaces the file that the plan names
    unsigned threads = 1;
    std::optional<std::string> json;
    std::optional<std::string> csv;
};
ExitStatus calibrate(const CalibrateOptions& options);

/// `warpfront fit`: rows of a hardware file from tables of benchmarks.
struct FitOptions {
    std::vector<std::filesystem::path> tables;  // tables of the network
    std::vector<std::string> layers;            // arguments LAYER=TABLE
    std::optional<std::filesystem::path> like;  // the base of the new hardware file
    std::optional<std::uint64_t> eager;         // limit of eager messages, in bytes
    std::optional<double> overhead;             // o_send and o_recv, in seconds
    std::string out;                            // the hardware file; "-": stdout
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
    std::vector<std::string> parameter_words;     // arguments NAME=VALUE
    std::string launcher_words;                   // the launcher and its options in one text
    std::optional<std::filesystem::path> object;  // file of the tracer, as an object or a library; runs nothing
};
ExitStatus record(const RecordOptions& options);

/// `warpfront learn`: a model from recorded runs.
struct LearnOptions {
    std::vector<std::filesystem::path> runs;
    std::vector<std::filesystem::path> checks{};  // runs that are only compared with the model
    std::filesystem::path out;                    // the model; the scenario has the same name with `.yaml`
    std::string platform;                         // hardware file of the scenario
    std::string speed;                            // rate of the processor on which the runs were recorded
    bool strict = false;                          // refuse runs if a part of them would be left out
    std::optional<std::string> json;
    std::optional<OptionValue> costs{};             // a file with a counted kernel, which the next options describe
    std::optional<OptionValue> subtask{};           // a subtask of that file
    std::vector<OptionValue> blocks{};              // blocks of the model that the kernel replaces
    std::vector<OptionValue> bindings{};            // arguments PARAMETER=NAME
    std::vector<std::filesystem::path> hardware{};  // files with times of operations
};
ExitStatus learn(const LearnOptions& options);

/// `warpfront check`: all faults of models, scenarios and hardware files; the description of a machine.
struct CheckOptions {
    std::vector<std::filesystem::path> files{};
    std::optional<std::filesystem::path> platform{};  // a hardware file to describe
    std::optional<std::filesystem::path> scenario{};  // a scenario whose ranks are placed on the machine
    std::vector<std::string> sets{};                  // overrides of the scenario
    bool costs = false;                               // print the costs of the scenario, or of a model before it
    bool ir = false;                                  // print the program of the scenario, or of a model before it
    bool format = false;                              // print the model in its canonical layout
};
ExitStatus check(const CheckOptions& options);

/// `warpfront costs`: the operations of a function of a program, counted.
struct CostsOptions {
    std::filesystem::path program;
    OptionValue kernel;                             // the function
    std::vector<OptionValue> decks;                 // arguments of --deck
    std::optional<OptionValue> time;                // a deck on which the function is timed
    std::optional<std::filesystem::path> coverage;  // the program compiled with counts of branches
    std::optional<std::filesystem::path> input;     // a template of the program's input
    std::vector<std::string> arguments;             // arguments of the program, with placeholders
    std::optional<std::string> out;                 // file of the subtasks; "-": stdout, in place of the table
};
ExitStatus costs(const CostsOptions& options);

/// `warpfront opcodes`: the times of operations on the host.
struct OpcodesOptions {
    kernels::Chains chains = kernels::Chains::independent;
    std::optional<std::string> rate;  // rate of the hardware object; none: the measured rate
    std::optional<std::string> out;   // file of the hardware object; "-": stdout, in place of the table
};
ExitStatus opcodes(const OpcodesOptions& options);

/// Serves an editor on stdin and stdout until it ends the session. An unexpected end is a failed run.
ExitStatus lsp();

// The command that reproduces a result, which the result contains. It has all options that change the answer, but no
// options that only change its computation or its destination.

/// Formats "warpfront run SCENARIO --set ...", with each word quoted for a shell if necessary.
std::string command_words(const RunOptions& options);
std::string command_words(const StudyOptions& options);
std::string command_words(const CostsOptions& options);

}  // namespace warpfront::tools
