#include "tools/kernels/external_program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/diagnostic.hpp"
#include "tools/runs/interrupt.hpp"

namespace warpfront::kernels {

namespace {

constexpr int kNotStarted = 127;  // as shells have it

std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string package_of(std::string_view program) {
    struct Package {
        std::string_view program, name;
    };
    constexpr std::array kPackages{Package{"valgrind", "valgrind"}, Package{"objdump", "binutils"},
                                   Package{"nm", "binutils"}, Package{"gcov", "gcc"}};
    for (const Package& package : kPackages) {
        if (package.program == program) return fmt::format("expected the Debian package `{}`", package.name);
    }
    return "expected a program that can be run";
}

/// Makes `number` a stream from or to a file.
void redirect(int number, const char* path, int flags) {
    const int file = open(path, flags, 0600);
    if (file < 0 || dup2(file, number) < 0) _exit(kNotStarted);
    close(file);
}

}  // namespace

Outcome run_program(const Invocation& invocation) {
    const ScratchFolder scratch;
    const std::string in = invocation.input.empty() ? "/dev/null" : invocation.input.string();
    const std::string out = scratch.path() / "out";
    const std::string err = scratch.path() / "err";
    std::vector<char*> words;
    for (const std::string& word : invocation.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::array<int, 2> failure{};  // the reason why it did not start comes through here
    if (pipe2(failure.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (!invocation.folder.empty() && chdir(invocation.folder.c_str()) != 0) _exit(kNotStarted);
        redirect(STDIN_FILENO, in.c_str(), O_RDONLY);
        redirect(STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
        redirect(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
        for (const auto& [name, value] : invocation.variables) setenv(name.c_str(), value.c_str(), 1);
        execvp(words.front(), words.data());
        const int reason = errno;
        [[maybe_unused]] const auto written = write(failure[1], &reason, sizeof reason);
        _exit(kNotStarted);
    }
    close(failure[1]);
    int reason = 0;
    const auto read_bytes = read(failure[0], &reason, sizeof reason);
    close(failure[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    tools::end_if_interrupted();
    if (read_bytes == static_cast<ssize_t>(sizeof reason)) {
        throw input::BadInput(input::DiagnosticKind::missing_program, {},
                              fmt::format("`{}` cannot be started: {}", invocation.words.front(),
                                          std::generic_category().message(reason)),
                              package_of(invocation.words.front()));
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of_file(out), text_of_file(err)};
}

std::string last_words(const Outcome& outcome) {
    constexpr std::size_t kLines = 3;
    std::vector<std::string> lines;
    std::istringstream stream(outcome.err + outcome.out);
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && !line.starts_with("==")) lines.push_back(line);  // `==` begins what valgrind says
    }
    if (lines.size() > kLines) lines.erase(lines.begin(), lines.end() - kLines);
    constexpr std::size_t kLongest = 300;
    return input::escaped(fmt::format("{}", fmt::join(lines, "; ")), kLongest);
}

ScratchFolder::ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "warpfront-costs-").string() + std::string(6, 'X');
    if (mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), pattern);
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpfront::kernels
