// Programs of the system, such as compilers, valgrind or mpirun, that are run to completion. A program reads its input
// from a file. Its output is kept, or is shown as output of this process. If this process ends, the program is ended.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpfront::process {

struct Invocation {
    std::vector<std::string> words;  // the first is a path, or a name in PATH
    std::filesystem::path folder{};  // the working folder; empty: that of this process
    std::filesystem::path input{};   // for stdin; empty: no stdin, or, if the output is shown, that of this process
    std::vector<std::pair<std::string, std::string>> variables{};  // of the environment, besides those of this process
    bool shown = false;                                            // true if the output is shown and not kept
};

struct Outcome {
    int status = 0;  // exit status; 128 + signal if a signal ended it; 127 if it was not started
    std::string out;
    std::string err;
    std::string not_started;  // the reason why the program was not started; empty if it was
};

/// Runs a program. Throws std::system_error if the system provides no process or file.
Outcome run_external(const Invocation& invocation);

/// Returns the file that a word of a command line runs; none if there is none.
std::optional<std::filesystem::path> find_program(const std::string& word);

/// A temporary folder, removed by the destructor, for files that programs exchange.
class ScratchFolder {
public:
    ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder();
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace warpfront::process
