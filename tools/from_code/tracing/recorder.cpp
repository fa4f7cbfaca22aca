#include "tools/from_code/tracing/recorder.hpp"

#include <cstdlib>
#include <fstream>
#include <thread>
#include <utility>

#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/sha256.hpp"
#include "simulator/process/external_program.hpp"
#include "simulator/trace/formats.hpp"
#include "simulator/trace/recording_format.h"
#include "tools/from_code/tracing/wrappers.hpp"

namespace warpfront::tracing {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using process::Outcome;
using Words = std::vector<std::string>;

/// Runs a program in the C locale and captures its output.
Outcome run_quietly(const Words& words, const std::string& in = {}) {
    const process::ScratchFolder scratch;
    process::Invocation invocation{.words = words, .variables = {{"LC_ALL", "C"}}};
    if (!in.empty()) {
        invocation.input = scratch.path() / "in";
        std::ofstream(invocation.input, std::ios::binary) << in;
    }
    return process::run_external(invocation);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::filesystem::path cache_folder() {
    if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
        return std::filesystem::path(cache) / "warpfront";
    }
    if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        return std::filesystem::path(home) / ".cache/warpfront";
    }
    return std::filesystem::temp_directory_path() / fmt::format("warpfront-{}", getuid());
}

void write_file(const std::filesystem::path& path, std::string_view text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) {
        throw BadInput(DiagnosticKind::unwritable_file, {}, fmt::format("cannot write `{}`", path.string()));
    }
}

/// Returns mpi.h as preprocessed by the compiler.
std::string preprocessed(const std::string& compiler) {
    const Outcome ended = run_quietly({compiler, "-E", "-x", "c", "-"}, "#include <mpi.h>\n");
    if (!ended.not_started.empty()) {
        throw BadInput(DiagnosticKind::bad_option, {}, fmt::format("there is no compiler `{}`", compiler),
                       "expected an MPI compiler for the tracer: the Debian packages `libopenmpi-dev` and "
                       "`libmpich-dev` have one, "
                       "`libsimgrid-dev` has `smpicc`; `--mpicc COMPILER` selects another");
    }
    if (ended.status != 0) {
        throw BadInput(DiagnosticKind::bad_option, {}, fmt::format("`{}` finds no mpi.h", compiler),
                       first_line(ended.err));
    }
    return ended.out;
}

void compile(const std::string& compiler, const std::filesystem::path& folder, const std::filesystem::path& result) {
    const std::string made = result.string() + fmt::format(".{}.part", getpid());
    const std::string tracer = (folder / "tracer.c").string();
    const std::string wrappers = (folder / "wrappers.c").string();
    std::vector<Words> commands;
    if (is_smpi(compiler)) {
        const std::string one = (folder / "tracer.o").string();
        const std::string other = (folder / "wrappers.o").string();
        const Words options{"-O2", "-fPIC", "-w", "-DWARPFRONT_VIRTUAL_TIME", "-I" + folder.string(), "-c"};
        for (const auto& [from, to] : {std::pair(tracer, one), std::pair(wrappers, other)}) {
            commands.push_back({compiler});
            commands.back().insert(commands.back().end(), options.begin(), options.end());
            commands.back().insert(commands.back().end(), {from, "-o", to});
        }
        commands.push_back({"ld", "-r", one, other, "-o", made});
    } else {
        commands.push_back({compiler, "-O1", "-fPIC", "-ftls-model=initial-exec", "-shared", "-w",
                            "-I" + folder.string(), tracer, wrappers, "-o", made, "-lz", "-ldl", "-lpthread"});
    }
    for (const Words& words : commands) {
        const Outcome ended = run_quietly(words);
        if (ended.status == 0) continue;
        throw BadInput(DiagnosticKind::bad_option, {}, fmt::format("`{}` does not compile the tracer", compiler),
                       first_line(ended.err));
    }
    std::filesystem::rename(made, result);
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char each : text) {
        if (each == '"' || each == '\\') result += '\\';
        result += each;
    }
    return result + '"';
}

/// Truncates the files of ranks that did not reach MPI_Finalize, which are as large as their buffers, to the records.
void shorten(const std::filesystem::path& folder) {
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
        if (each.path().extension() != ".events") continue;
        warpfront_recording_header header{};
        std::ifstream(each.path(), std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
        std::error_code failed;
        const std::uint64_t used = sizeof header + 8 * header.words;
        if (header.compressed == 0 && used < each.file_size()) std::filesystem::resize_file(each.path(), used, failed);
    }
}

std::string host_name() {
    utsname system{};
    uname(&system);
    return system.nodename;
}

/// Returns the launcher beside the compiler: mpirun.mpich for mpicc.mpich.
std::string launcher_of(const std::string& compiler) {
    std::filesystem::path path(compiler);
    std::string name = path.filename().string();
    const std::size_t at = name.find("cc");
    if (at != std::string::npos) name.replace(at, 2, "run");
    return path.has_parent_path() ? (path.parent_path() / name).string() : name;
}

bool is_open_mpi(const std::string& launcher) {
    const std::string version = run_quietly({launcher, "--version"}).out;
    return version.find("Open MPI") != std::string::npos || version.find("open-mpi") != std::string::npos;
}

/// Prepares the folder: removes the files of an earlier recording and refuses a folder with other contents.
void prepare(const std::filesystem::path& folder) {
    std::error_code failed;
    if (std::filesystem::exists(folder, failed) && !std::filesystem::is_empty(folder, failed)) {
        const bool recording = std::filesystem::exists(folder / "recording.yaml", failed) ||
                               std::filesystem::exists(folder / "rank-0.events", failed);
        if (!recording) {
            throw BadInput(DiagnosticKind::bad_option, {},
                           fmt::format("`{}` exists, but is not a recording", folder.string()),
                           "expected a folder that does not exist, or an earlier recording, which is replaced");
        }
        for (const auto& each : std::filesystem::directory_iterator(folder)) {
            const std::string name = each.path().filename().string();
            if (name.starts_with("rank-") || name == "recording.yaml" || name == "sites.txt") {
                std::filesystem::remove(each.path(), failed);
            }
        }
    }
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        throw BadInput(DiagnosticKind::unwritable_file, {}, fmt::format("cannot create `{}`", folder.string()),
                       failed.message());
    }
}

}  // namespace

bool is_smpi(const std::string& compiler) {
    return std::filesystem::path(compiler).filename().string().find("smpi") != std::string::npos;
}

std::string compiler_of(const std::filesystem::path& code) {
    const Outcome ended = run_quietly({"ldd", code.string()});
    if (ended.out.find("libmpich") != std::string::npos) return "mpicc.mpich";
    if (ended.out.find("libmpi.so") != std::string::npos) return "mpicc.openmpi";
    if (ended.status == 0 && ended.out.find("libmpi") == std::string::npos) {
        throw BadInput(DiagnosticKind::bad_option, {},
                       fmt::format("`{}` is not linked to an MPI library", code.string()),
                       "expected a program that is linked dynamically to Open MPI or MPICH; for another library or a "
                       "script, `--mpicc` names the compiler of the library");
    }
    return "mpicc";
}

std::filesystem::path tracer_for(const std::string& compiler) {
    const std::string header = preprocessed(compiler);
    const std::string generated = wrappers(prototypes(header));
    std::string all = compiler + header + generated;
    for (const std::string_view each : {tracer_source(), tracer_header(), recording_format()}) all += each;
    const std::string name = "tracer-" + input::sha256_hex(all).substr(0, 16);
    const std::filesystem::path folder = cache_folder() / name;
    const std::filesystem::path result = folder / (is_smpi(compiler) ? "tracer.smpi.o" : "tracer.so");
    std::error_code failed;
    if (std::filesystem::exists(result, failed)) return result;
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        throw BadInput(DiagnosticKind::unwritable_file, {}, fmt::format("cannot create `{}`", folder.string()),
                       failed.message());
    }
    write_file(folder / "tracer.c", tracer_source());
    write_file(folder / "tracer.h", tracer_header());
    write_file(folder / "recording_format.h", recording_format());
    write_file(folder / "warpfront_phases.h", phases_header());
    write_file(folder / "wrappers.c", generated);
    spdlog::debug("the tracer is compiled by `{}` into `{}`", compiler, folder.string());
    compile(compiler, folder, result);
    return result;
}

namespace {

/// Returns the output of addr2line for the sites of one module: file, line and function, separated by tabs.
std::vector<std::string> resolved(const std::string& module, const std::vector<std::uint64_t>& addresses) {
    std::vector<std::string> result(addresses.size(), "??\t0\t??");
    std::string in;
    // A return address lies after the call, often already in the next line.
    for (const std::uint64_t each : addresses) in += fmt::format("{:#x}\n", each - 1);
    const Outcome ended = run_quietly({"addr2line", "-f", "-C", "-e", module}, in);
    std::size_t at = 0;
    for (std::size_t site = 0; site < addresses.size() && ended.status == 0; ++site) {
        const std::size_t function = at;
        const std::size_t place = ended.out.find('\n', function) + 1;
        const std::size_t end = ended.out.find('\n', place);
        if (place == 0 || end == std::string::npos) break;
        std::string where = ended.out.substr(place, end - place);
        where = where.substr(0, where.find(" ("));  // "(discriminator 2)"
        const std::size_t colon = where.rfind(':');
        const std::string line = where.substr(colon + 1);
        const bool known = !line.empty() && line != "?" && line != "0";
        result[site] = fmt::format("{}\t{}\t{}", known ? where.substr(0, colon) : "??", known ? line : "0",
                                   ended.out.substr(function, place - 1 - function));
        at = end + 1;
    }
    return result;
}

std::string yaml_list(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + quoted(word);
    return "[" + text + "]";
}

}  // namespace

std::string sites_text(const std::vector<std::pair<std::string, std::uint64_t>>& sites) {
    std::map<std::string, std::vector<std::uint64_t>> by_module;
    for (const auto& [module, address] : sites) by_module[module].push_back(address);
    std::string text;
    for (const auto& [module, addresses] : by_module) {
        const std::vector<std::string> places = resolved(module, addresses);
        for (std::size_t at = 0; at < addresses.size(); ++at) {
            text += fmt::format("{}\t{:#x}\t{}\n", module, addresses[at], places[at]);
        }
    }
    return text;
}

int record(const RecordRequest& request) {
    const std::optional<std::filesystem::path> program = process::find_program(request.code.front());
    if (!program) {
        throw BadInput(DiagnosticKind::bad_option, {}, fmt::format("there is no program `{}`", request.code.front()),
                       "expected an executable file, or a name that a shell finds");
    }
    const std::string compiler = request.compiler.empty() ? compiler_of(*program) : request.compiler;
    const std::filesystem::path out = std::filesystem::absolute(request.out);
    Words words = request.launcher.empty() ? Words{launcher_of(compiler)} : request.launcher;
    if (!process::find_program(words.front())) {
        throw BadInput(
            DiagnosticKind::bad_option, {}, fmt::format("there is no launcher `{}`", words.front()),
            "expected a launcher of MPI, such as `--launcher \"mpirun --bind-to core\"`; the Debian packages "
            "`openmpi-bin` and `mpich` have one");
    }
    const std::filesystem::path tracer = is_smpi(compiler) ? std::filesystem::path{} : tracer_for(compiler);
    prepare(out);
    std::vector<std::pair<std::string, std::string>> variables{
        {"WARPFRONT_RECORDING", out.string()}, {"WARPFRONT_RECORDING_BYTES", fmt::format("{}", request.buffer.count)}};
    if (request.launcher.empty() && !is_smpi(compiler) && is_open_mpi(words.front())) {
        if (request.ranks > std::thread::hardware_concurrency()) words.emplace_back("--oversubscribe");
    }
    words.insert(words.end(), {is_smpi(compiler) ? "-np" : "-n", fmt::format("{}", request.ranks)});
    if (!is_smpi(compiler)) {
        words.emplace_back("env");
        words.push_back("LD_PRELOAD=" + tracer.string());
        for (const auto& [name, value] : variables) words.push_back(fmt::format("{}={}", name, value));
    }
    words.insert(words.end(), request.code.begin(), request.code.end());
    if (geteuid() == 0) {  // Open MPI requires two variables
        for (const char* const name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}) {
            variables.emplace_back(name, "1");
        }
    }
    const int status = process::run_external({.words = words, .variables = variables, .shown = true}).status;
    shorten(out);
    std::string yaml = fmt::format("command: {}\nranks: {}\nstatus: {}\ncompiler: {}\n", yaml_list(request.code),
                                   request.ranks, status, quoted(compiler));
    try {
        const std::string mpi = trace::mpi_of_recording(out);
        if (!mpi.empty()) yaml += fmt::format("mpi: {}\n", quoted(mpi));
    } catch (const BadInput&) {
        if (status == 0) throw;  // otherwise an aborted rank has left a file without a header
    }
    yaml += fmt::format("host: {}\n", quoted(host_name()));
    if (!request.parameters.empty()) yaml += "parameters:\n";
    for (const auto& [name, value] : request.parameters) yaml += fmt::format("  {}: {}\n", name, quoted(value));
    write_file(out / "recording.yaml", yaml);
    return status;
}

}  // namespace warpfront::tracing
