// The definition of the sub-commands' options for CLI11: names, help, and how each value is read.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/common.h>
#include <CLI/CLI.hpp>

#include "simulator/input/diagnostic.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

/// The name of a file or folder that an option writes, or `-` for stdout.
struct OutputName {
    std::string option;
    std::string target;
};

struct AllOptions {
    std::map<std::string, std::function<ExitStatus()>> actions;  // the action of each sub-command
    RunOptions run;
    ExplainOptions explain;
    EstimateOptions estimate;
    CompareOptions compare;
    StudyOptions study;
    SourcesOptions sources;
    ReportOptions report;
    ServeOptions serve;
    CalibrateOptions calibrate;
    FitOptions fit;
    TraceOptions trace;
    RecordOptions record;
    LearnOptions learn;
    CheckOptions check;
    CostsOptions costs;
    OpcodesOptions opcodes;
    std::optional<spdlog::level::level_enum> log_level;
    bool force = false;              // replaces files that warpfront did not write
    std::vector<std::string> notes;  // notes on the arguments, printed once the level is known
    std::vector<OutputName> outputs;

    /// Returns the level of the messages that are shown: `--log-level`, else warnings and errors with `--quiet`.
    spdlog::level::level_enum messages() const {
        const bool quiet = run.quiet || explain.quiet || study.quiet || sources.quiet;
        return log_level.value_or(quiet ? spdlog::level::warn : spdlog::level::info);
    }
};

/// Sets up `app` with the name, the help and the sub-commands of the whole program. When it parses, values go to
/// `options` and faults of values to `faults`; both must outlive it.
void describe_program(CLI::App& app, AllOptions& options, Diagnostics& faults);

// Diagnostics for CLI11's errors on a command line: the given word, the expected one, the nearest name.

/// Returns the sub-command on the command line, or the program itself if there is none.
const CLI::App& command_given(const CLI::App& program);

/// Adds the diagnostic of a command line without a sub-command to `faults` (bad_option).
void refuse_no_command(const CLI::App& program, Diagnostics& faults);

/// Adds the diagnostics of `error` to `faults` (bad_option).
void explain(const CLI::ParseError& error, const CLI::App& program, Diagnostics& faults);

/// Adds a fault for two outputs that are the same file or both stdout, since one would replace the other. Devices may
/// be shared.
void refuse_shared_outputs(const std::vector<OutputName>& outputs, Diagnostics& faults);

// Examples of every sub-command: the command and its purpose. Help texts and the man page show them, and a test runs
// all of them from the project's folder.

struct Example {
    std::string_view command;  // the sub-command, such as "run"
    std::string_view arguments;
    std::string_view answers;  // the purpose, in one line
};

std::span<const Example> examples();

/// Returns the end of a help text: the examples of one sub-command or, without a name, the first of each.
std::string examples_text(std::string_view command = {});

}  // namespace warpfront::tools
