#include "tools/program/command_line/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/program/command_line/options.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

namespace {

/// Sends all further messages to stderr, from any thread.
void send_messages_to_stderr() {
    auto logger = std::make_shared<spdlog::logger>("warpfront", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_pattern("%v");
    spdlog::set_default_logger(std::move(logger));
}

/// The processes that a launcher has started: `mpirun -n 4 warpfront study ...`, or `srun --mpi=pmix`. The environment
/// contains their number and the index of this process. They share only files, so MPI is not needed.
struct LaunchedProcesses {
    std::uint32_t index = 0;
    std::uint32_t count = 1;
    std::uint32_t on_this_computer = 1;  // number on this host, including this process
};

/// Returns the first of these variables that has a number.
std::optional<std::uint32_t> number_in(std::initializer_list<const char*> variables) {
    for (const char* const variable : variables) {
        const char* const text = std::getenv(variable);
        std::uint32_t number = 0;
        if (text == nullptr) continue;
        const char* const end = text + std::strlen(text);
        if (const auto read = std::from_chars(text, end, number); read.ec == std::errc{} && read.ptr == end)
            return number;
    }
    return std::nullopt;
}

/// Returns one process if the environment names no launcher. srun sets PMIX_RANK as well, but has its own variable for
/// the number of processes.
LaunchedProcesses launched_processes() {
    const auto index = number_in({"OMPI_COMM_WORLD_RANK", "PMIX_RANK"});
    const auto count = number_in({"OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"});
    if (!index || !count || *index >= *count) return {};
    const std::uint32_t here = number_in({"OMPI_COMM_WORLD_LOCAL_SIZE"}).value_or(1);
    return {.index = *index, .count = *count, .on_this_computer = std::clamp(here, 1U, *count)};
}

ExitStatus failed(ExitStatus status, std::string_view message) {
    while (message.ends_with('\n')) message.remove_suffix(1);
    spdlog::error("{}", message);
    return status;
}

/// Reports an invalid command line and where to find help.
ExitStatus refused(const Diagnostics& faults, const CLI::App& program) {
    const CLI::App& command = command_given(program);
    const std::string words =
        &command == &program ? program.get_name() : fmt::format("{} {}", program.get_name(), command.get_name());
    return failed(ExitStatus::bad_input, fmt::format("{}see `{} --help`", faults.render(), words));
}

/// Divides the points of a study among the processes of a launcher. Adds a fault for any other command.
void divide_work(const CLI::App& app, const LaunchedProcesses& launched, AllOptions& options, Diagnostics& faults) {
    if (launched.count == 1) return;
    if (app.got_subcommand("study")) {
        options.study.process = {launched.on_this_computer, launched.index > 0};
        return;
    }
    faults.add(DiagnosticKind::bad_option, {},
               fmt::format("a launcher has started {} processes of this command", launched.count),
               "expected the command without `mpirun` or `srun`; only the points of `study` can be shared, and "
               "`--threads N` of `run` uses more cores");
}

/// Silences this process; process 0 prints for all processes of a launcher.
void print_nothing() {
    for (std::FILE* const stream : {stdout, stderr}) {
        [[maybe_unused]] const std::FILE* const nowhere = std::freopen("/dev/null", "w", stream);
    }
}

ExitStatus parse_and_run(int argc, const char* const* argv, const LaunchedProcesses& launched) {
    CLI::App app;
    AllOptions options;
    Diagnostics faults;
    describe_program(app, options, faults);
    app.require_subcommand(0, 1);  // a missing subcommand is refused below, an unknown one by its name
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            refuse_no_command(app, faults);
        }
    } catch (const CLI::Success& asked) {
        std::ostringstream text;
        app.exit(asked, text, text);
        results::write_stdout(text.str());
        return ExitStatus::done;
    } catch (const CLI::ParseError& error) {
        explain(error, app, faults);
    }
    refuse_shared_outputs(options.outputs, faults);
    if (faults.empty()) divide_work(app, launched, options, faults);
    if (!faults.empty()) return refused(faults, app);
    spdlog::set_level(options.messages());
    for (const std::string& note : options.notes) spdlog::info("note: {}", note);
    if (launched.count > 1) {
        spdlog::debug("debug: process {} of {} that a launcher has started, {} of them on this host", launched.index,
                      launched.count, launched.on_this_computer);
    }
    std::optional<results::ForeignFilesKept> keep;
    if (!options.force) keep.emplace();
    return options.actions.at(command_given(app).get_name())();
}

ExitStatus guarded(int argc, const char* const* argv, const LaunchedProcesses& launched) {
    try {
        return parse_and_run(argc, argv, launched);
    } catch (const BadInput& bad) {
        return failed(ExitStatus::bad_input, bad.what());
    } catch (const RunFailed& run_failed) {
        return failed(ExitStatus::run_failed, run_failed.what());
    } catch (const engine::Interrupted& stopped) {
        return failed(ExitStatus{status_of_interrupt()}, stopped.what());
    } catch (const std::exception& fault) {
        return failed(ExitStatus::internal_fault, fmt::format("internal fault: {}", fault.what()));
    } catch (...) {
        return failed(ExitStatus::internal_fault, "internal fault");
    }
}

}  // namespace

int command_line(int argc, const char* const* argv) {
    send_messages_to_stderr();
    handle_interrupts();
    std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit then fails to write, as on a full disk
    const LaunchedProcesses launched = launched_processes();
    if (launched.index > 0) print_nothing();
    return static_cast<int>(guarded(argc, argv, launched));
}

}  // namespace warpfront::tools
