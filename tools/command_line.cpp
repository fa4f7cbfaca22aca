#include "tools/command_line.hpp"

#include <exception>
#include <map>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "simulator/input/fault.hpp"
#include "tools/commands.hpp"
#include "tools/interrupt.hpp"

namespace warpfront::tools {

namespace {

const std::map<std::string, Engine> kEngines{{"event", Engine::event},
                                             {"analytic", Engine::analytic},
                                             {"simgrid", Engine::simgrid}};
const std::map<std::string, engine::Replay> kReplays{{"auto", engine::Replay::auto_}, {"full", engine::Replay::full}};

constexpr unsigned kMostSeeds = 100'000;

constexpr unsigned kMostThreads = 1024;
constexpr std::string_view kSetHelp = "override a key of the scenario, such as ranks.columns=256; may be repeated";
constexpr std::string_view kJsonHelp = "write the result to a file, or to stdout (-) in place of the table";
constexpr std::string_view kAgainstHelp =
    "a published table: each row changes the scenario. Columns: n, m (ranks), nx, ny (cells per rank), nz, "
    "Wg, Wg_fix (s), htile, cores_per_node, pred, exec (s), or a path such as parameters.wg; "
    "problem, cells, ranks, comp, comm, warpp, pace are passed through";

void add_scenario(CLI::App& command, std::filesystem::path& scenario, std::vector<std::string>& sets) {
    command.add_option("SCENARIO", scenario, "scenario file (YAML)")->required();
    command.add_option("--set", sets, std::string(kSetHelp))->type_name("PATH=VALUE")->allow_extra_args(false);
}

void add_json(CLI::App& command, std::optional<std::string>& json) {
    command.add_option("--json", json, std::string(kJsonHelp))->type_name("FILE|-");
}

/// A named choice, shown as `a|b`.
template <typename Value>
CLI::Validator one_of(const std::map<std::string, Value>& names) {
    return CLI::CheckedTransformer(names).description("");
}

void add_replay(CLI::App& command, engine::Replay& replay) {
    command.add_option("--replay", replay, "auto may skip what repeats, with the same times (default: auto)")
        ->type_name("auto|full")
        ->transform(one_of(kReplays));
}

void add_threads(CLI::App& command, unsigned& threads) {
    command.add_option("--threads", threads, "of this machine to step with; the result is the same (default: 1)")
        ->type_name("N")
        ->check(CLI::Range(1U, kMostThreads).description(""));
}

void add_run(CLI::App& app, RunOptions& options) {
    CLI::App& command = *app.add_subcommand("run", "one prediction");
    add_scenario(command, options.scenario, options.sets);
    command.add_option("--engine", options.engine, "what predicts (default: event)")
        ->type_name("event|analytic|simgrid")
        ->transform(one_of(kEngines));
    add_replay(command, options.replay);
    command.add_option("--seeds", options.seeds, "that many seeds, --threads at a time: mean, spread, 95 % interval")
        ->type_name("N")
        ->check(CLI::Range(2U, kMostSeeds).description(""));
    add_threads(command, options.threads);
    add_json(command, options.json);
    command.add_flag("--quiet", options.quiet, "no table, no notes, no progress");
}

void add_estimate(CLI::App& app, EstimateOptions& options) {
    CLI::App& command = *app.add_subcommand("estimate", "messages, memory and time that run would need");
    add_scenario(command, options.scenario, options.sets);
    add_replay(command, options.replay);
    add_threads(command, options.threads);
    add_json(command, options.json);
}

void add_compare(CLI::App& app, CompareOptions& options, std::optional<double>& tolerance) {
    CLI::App& command = *app.add_subcommand("compare", "engines and published runs side by side");
    add_scenario(command, options.scenario, options.sets);
    command.add_option("--engines", options.engines, "which to ask (default: event,analytic)")
        ->type_name("event,analytic,simgrid")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->transform(one_of(kEngines));
    command.add_option("--against", options.against, std::string(kAgainstHelp))->type_name("FILE.csv");
    command.add_option("--tolerance", tolerance, "fail where an engine is further from pred, or from the other engine")
        ->type_name("PCT")
        ->check(CLI::NonNegativeNumber.description(""));
    add_json(command, options.json);
}

void add_trace(CLI::App& app, TraceOptions& options) {
    CLI::App& command = *app.add_subcommand("trace", "the messages as traces for SimGrid's own replay");
    add_scenario(command, options.scenario, options.sets);
    command.add_option("--out", options.out, "the folder to write, with a script that replays it")
        ->type_name("DIR")
        ->required();
}

void add_check(CLI::App& app, CheckOptions& options) {
    CLI::App& command = *app.add_subcommand("check", "all faults of models, scenarios and hardware files");
    command.add_option("FILE", options.files, "files to check");
    command.add_option("--platform", options.platform, "tell what the machine of a hardware file is")
        ->type_name("FILE");
    command.add_option("--scenario", options.scenario, "with the ranks of a scenario on it")->type_name("SCENARIO");
    command.add_option("--set", options.sets, std::string(kSetHelp))->type_name("PATH=VALUE")->allow_extra_args(false);
}

ExitStatus failed(ExitStatus status, std::string_view message) {
    while (message.ends_with('\n')) message.remove_suffix(1);
    spdlog::error("{}", message);
    return status;
}

ExitStatus parse_and_run(int argc, const char* const* argv) {
    CLI::App app("predicts how long a wavefront MPI code runs on a machine that may not exist yet", "warpfront");
    app.set_version_flag("--version", std::string("warpfront ") + WARPFRONT_VERSION);
    app.require_subcommand(0, 1);  // none is told below, so that an unknown one is told by its name
    RunOptions run_options;
    EstimateOptions estimate_options;
    CompareOptions compare_options;
    TraceOptions trace_options;
    std::optional<double> tolerance;
    CheckOptions check_options;
    add_run(app, run_options);
    add_estimate(app, estimate_options);
    add_compare(app, compare_options, tolerance);
    add_trace(app, trace_options);
    add_check(app, check_options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? ExitStatus::done : ExitStatus::bad_input;
    }
    if (app.get_subcommands().empty()) {
        return failed(ExitStatus::bad_input, "error: no subcommand: expected `run`, `estimate`, `compare`, `trace` or "
                                             "`check`");
    }
    if (app.got_subcommand("run")) return run(run_options);
    if (app.got_subcommand("estimate")) return estimate(estimate_options);
    if (app.got_subcommand("trace")) return trace_scenario(trace_options);
    if (app.got_subcommand("check")) return check(check_options);
    if (tolerance) compare_options.tolerance = Percent{*tolerance};
    return compare(compare_options);
}

void send_messages_to_stderr() {
    auto logger = std::make_shared<spdlog::logger>("warpfront", std::make_shared<spdlog::sinks::stderr_sink_st>());
    logger->set_pattern("%v");
    spdlog::set_default_logger(std::move(logger));
}

ExitStatus guarded(int argc, const char* const* argv) {
    try {
        return parse_and_run(argc, argv);
    } catch (const input::BadInput& bad) {
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
    return static_cast<int>(guarded(argc, argv));
}

}  // namespace warpfront::tools
