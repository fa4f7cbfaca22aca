// Programs of the system, such as compilers, valgrind or mpirun, run to completion. Each gets its input from a file;
// its streams are kept, or those of this process. It ends with this process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpfront::process {

struct Invocation {
    std::vector<std::string> words;  // the first is a path, or a name in PATH
    std::filesystem::path folder{};  // empty: that of this process
    std::filesystem::path input{};   // empty: no stdin, or that of this process if the output is shown
    std::vector<std::pair<std::string, std::string>> variables{};
    bool shown = false;  // the output goes to that of this process
};

struct Outcome {
    int status = 0;  // exit status; 128 + signal if a signal ended it; 127 if it was not started
    std::string out;
    std::string err;
    std::string not_started;  // the reason
};

/// Runs a program. Throws std::system_error if the system provides no process or file.
Outcome run_external(const Invocation& invocation);

/// Returns the file that a word of a command line runs; none if there is none.
std::optional<std::filesystem::path> find_program(const std::string& word);

/// A folder for files between programs, which is removed with its owner.
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
