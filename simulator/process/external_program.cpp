#include "simulator/process/external_program.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpfront::process {

namespace {

constexpr int kNotStarted = 127;  // as in shells

std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Redirects the stream `number` from or to a file.
void redirect(int number, const std::string& path, int flags) {
    const int file = ::open(path.c_str(), flags, 0600);
    if (file < 0 || ::dup2(file, number) < 0) ::_exit(kNotStarted);
    ::close(file);
}

/// Runs in the child. Returns the error number if the program cannot be started.
int become(const Invocation& invocation, char* const* words, const std::filesystem::path& streams) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (!invocation.folder.empty() && ::chdir(invocation.folder.c_str()) != 0) return errno;
    if (!invocation.shown || !invocation.input.empty()) {
        redirect(STDIN_FILENO, invocation.input.empty() ? "/dev/null" : invocation.input.string(), O_RDONLY);
    }
    if (!invocation.shown) {
        redirect(STDOUT_FILENO, streams / "out", O_WRONLY | O_CREAT | O_TRUNC);
        redirect(STDERR_FILENO, streams / "err", O_WRONLY | O_CREAT | O_TRUNC);
    }
    for (const auto& [name, value] : invocation.variables) ::setenv(name.c_str(), value.c_str(), 1);
    ::execvp(words[0], words);
    return errno;
}

}  // namespace

Outcome run_external(const Invocation& invocation) {
    const ScratchFolder streams;
    std::vector<char*> words;
    for (const std::string& word : invocation.words) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    std::array<int, 2> failure{};  // transmits the reason if the program is not started
    if (::pipe2(failure.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t child = ::fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        const int reason = become(invocation, words.data(), streams.path());
        [[maybe_unused]] const auto written = ::write(failure[1], &reason, sizeof reason);
        ::_exit(kNotStarted);
    }
    ::close(failure[1]);
    int reason = 0;
    const auto got = ::read(failure[0], &reason, sizeof reason);
    ::close(failure[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                    text_of_file(streams.path() / "out"), text_of_file(streams.path() / "err"), ""};
    if (got == static_cast<ssize_t>(sizeof reason)) outcome.not_started = std::generic_category().message(reason);
    return outcome;
}

std::optional<std::filesystem::path> find_program(const std::string& word) {
    const auto runs = [](const std::filesystem::path& path) {
        std::error_code failed;
        return std::filesystem::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0;
    };
    if (word.find('/') != std::string::npos)
        return runs(word) ? std::optional<std::filesystem::path>(word) : std::nullopt;
    const char* const folders = std::getenv("PATH");
    std::istringstream path(folders == nullptr ? "" : folders);
    for (std::string folder; std::getline(path, folder, ':');) {
        if (runs(std::filesystem::path(folder) / word)) return std::filesystem::path(folder) / word;
    }
    return std::nullopt;
}

ScratchFolder::ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "warpfront-").string() + std::string(6, 'X');
    if (::mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), pattern);
    path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace warpfront::process
