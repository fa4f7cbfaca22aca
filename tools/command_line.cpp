#include "tools/command_line.hpp"

#include <csignal>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include "simulator/engine/parallel/peers.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/results/output.hpp"
#include "tools/argument_faults.hpp"
#include "tools/commands.hpp"
#include "tools/interrupt.hpp"
#include "tools/messages.hpp"
#include "tools/options.hpp"
#include "tools/several_processes.hpp"

namespace warpfront::tools {

namespace {

ExitStatus failed(ExitStatus status, std::string_view message) {
    while (message.ends_with('\n')) message.remove_suffix(1);
    spdlog::error("{}", message);
    return status;
}

/// A command line that means nothing, with the way to help.
ExitStatus refused(const input::Diagnostics& faults, const CLI::App& program) {
    const CLI::App& command = command_given(program);
    const std::string words =
        &command == &program ? program.get_name() : fmt::format("{} {}", program.get_name(), command.get_name());
    return failed(ExitStatus::bad_input, fmt::format("{}see `{} --help`", faults.render(), words));
}

ExitStatus run_command(const CLI::App& app, const AllOptions& options) {
    if (app.got_subcommand("run")) return run(options.run);
    if (app.got_subcommand("estimate")) return estimate(options.estimate);
    if (app.got_subcommand("compare")) return compare(options.compare);
    if (app.got_subcommand("study")) return study(options.study);
    if (app.got_subcommand("calibrate")) return calibrate(options.calibrate);
    if (app.got_subcommand("trace")) return trace_scenario(options.trace);
    return check(options.check);
}

/// Gives the processes of a launcher their work; false where this one has none.
bool divide_work(const CLI::App& app, AllOptions& options, engine::ProcessGroup& processes) {
    const RunOptions& run = options.run;
    const bool together = app.got_subcommand("run") && run.engine == Engine::event && !run.samples && !run.seeds;
    if (together) options.run.processes = &processes;
    if (processes.index() > 0) options.run.json.reset();
    if (!together && processes.index() == 0 && processes.count() > 1) {
        spdlog::warn(
            "note: {} processes were started, but only `run` with one event-driven prediction divides its work; "
            "one does it all",
            processes.count());
    }
    return together || processes.index() == 0;
}

ExitStatus parse_and_run(int argc, const char* const* argv, engine::ProcessGroup* processes) {
    CLI::App app;
    AllOptions options;
    input::Diagnostics faults;
    describe_program(app, options, faults);
    app.require_subcommand(0, 1);  // none is refused below, so that an unknown one is refused by its name
    try {
        app.parse(argc, argv);
        if (app.get_subcommands().empty()) {
            faults.add(input::DiagnosticKind::bad_option, {}, "no subcommand",
                       "expected `run`, `estimate`, `compare`, `study`, `calibrate`, `trace` or `check`");
        }
    } catch (const CLI::Success& asked) {
        std::ostringstream text;
        app.exit(asked, text, text);
        results::write_stdout(text.str());
        return ExitStatus::done;
    } catch (const CLI::ParseError& error) {
        explain(error, app, faults);
    }
    if (!faults.empty()) return refused(faults, app);
    if (processes != nullptr && !divide_work(app, options, *processes)) return ExitStatus::done;
    return run_command(app, options);
}

ExitStatus guarded(int argc, const char* const* argv, engine::ProcessGroup* processes) {
    try {
        return parse_and_run(argc, argv, processes);
    } catch (const engine::PeerEnded&) {
        throw;
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

int command_line(int argc, const char* const* argv, engine::ProcessGroup* processes) {
    handle_interrupts();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may grow no further is then a failed write, as on a full disk
    if (processes != nullptr) {
        return among_processes(*processes, [&] { return static_cast<int>(guarded(argc, argv, processes)); });
    }
    send_messages_to_stderr();
    return static_cast<int>(guarded(argc, argv, nullptr));
}

}  // namespace warpfront::tools
