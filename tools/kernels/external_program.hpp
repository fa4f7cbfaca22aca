// Programs of the system that this room calls: valgrind, nm, objdump, gcov, and the user's own. Each runs with stdin
// from a file, in a folder, and its streams are kept. It ends with this process.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpfront::kernels {

struct Invocation {
    std::vector<std::string> words;  // the first is a path, or a name that PATH has
    std::filesystem::path folder{};  // empty: that of this process
    std::filesystem::path input{};   // empty: nothing on stdin
    std::vector<std::pair<std::string, std::string>> variables{};
};

struct Outcome {
    int status = 0;  // exit status; 128 + signal where a signal ended it
    std::string out;
    std::string err;
};

/// Throws BadInput (missing_program) naming the Debian package that has the program if it cannot be started;
/// engine::Interrupted if a signal came meanwhile.
Outcome run_program(const Invocation& invocation);

/// The last lines that a program has said, for the reader of its fault.
std::string last_words(const Outcome& outcome);

/// A folder for files between programs, gone with its owner.
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

}  // namespace warpfront::kernels
