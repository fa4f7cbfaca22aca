#include <string>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/input/read_file.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/output.hpp"
#include "simulator/trace/formats.hpp"
#include "tools/program/checking/checking.hpp"
#include "tools/program/commands/commands.hpp"

namespace warpfront::tools {

namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

tracing::RecordRequest request_of(const RecordOptions& options) {
    tracing::RecordRequest request = options;
    if (request.out.empty()) request.out = "recording";
    request.launcher = words_of(options.launcher_words);
    Diagnostics faults;
    for (const std::string& word : options.parameter_words) {
        const std::size_t equals = word.find('=');
        if (equals == 0 || equals == std::string::npos) {
            faults.add(DiagnosticKind::bad_option, {}, fmt::format("`--parameter {}` is not a name with a value", word),
                       "expected `--parameter NAME=VALUE`, such as `--parameter nz=100`");
            continue;
        }
        if (!request.parameters.emplace(word.substr(0, equals), word.substr(equals + 1)).second) {
            faults.add(DiagnosticKind::bad_option, {},
                       fmt::format("`--parameter {}` is given twice", word.substr(0, equals)), "expected it once");
        }
    }
    if (request.code.empty() && !options.object) {
        faults.add(DiagnosticKind::bad_option, {}, "the code to run is missing",
                   "expected the code and its arguments after `--`, such as `warpfront record -n 4 -- ./code 100`");
    }
    faults.raise();
    return request;
}

/// Returns false, and reports why, if the recording lacks calls.
bool show_contents(const tracing::RecordRequest& request, int status) {
    try {
        results::write_atomically(request.out / "sites.txt",
                                  tracing::sites_text(trace::sites_of_recording(request.out)));
        const RecordedContents contents = contents_of(request.out);
        results::write_stdout(contents.text);
        if (contents.lost == 0) return true;
        spdlog::error(
            "the recording is incomplete: full buffers have lost {} calls; `--buffer SIZE` sets larger buffers",
            results::grouped(contents.lost));
        return false;
    } catch (const BadInput& bad) {
        if (status == 0) throw;
        // a rank that aborts while MPI starts leaves a file without a beginning
        spdlog::error("the recording in `{}` cannot be read: {}", request.out.string(),
                      bad.diagnostics().all().front().message);
        return false;
    }
}

}  // namespace

ExitStatus record(const RecordOptions& options) {
    const tracing::RecordRequest request = request_of(options);
    if (options.object) {
        const std::string compiler = request.compiler.empty() ? "mpicc" : request.compiler;
        const results::Output object(options.object->string());
        object.write(input::read_file(tracing::tracer_for(compiler))->text());
        results::write_stdout(fmt::format("the tracer for `{}` is `{}`\n", compiler, options.object->string()));
        return ExitStatus::done;
    }
    const int status = tracing::record(request);
    if (!trace::is_recording(request.out)) {
        throw BadInput(DiagnosticKind::bad_option, {}, fmt::format("`{}` has recorded nothing", request.code.front()),
                       status != 0
                           ? fmt::format("the code ended with status {} before MPI_Init", status)
                           : "expected a program that calls MPI_Init and is linked to MPI dynamically; a program for "
                             "SMPI must be linked with the tracer (`--object`)");
    }
    if (status != 0) spdlog::error("`{}` ended with status {}", request.code.front(), status);
    const bool is_whole = show_contents(request, status);
    return status == 0 && is_whole ? ExitStatus::done : ExitStatus::run_failed;
}

}  // namespace warpfront::tools
