#include "simulator/input/output_files.hpp"

#include <mutex>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::input {

namespace {

/// The files that will be written, and their lock.
struct OutputFiles {
    std::mutex lock;
    std::multiset<std::filesystem::path> paths;
};

OutputFiles& output_files() {
    static OutputFiles files;
    return files;
}

/// Returns one name for a file, for any links that lead to it.
std::filesystem::path one_name(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::path name = std::filesystem::weakly_canonical(path, error);
    return error ? path : name;
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : path_(one_name(path)) {
    OutputFiles& files = output_files();
    const std::lock_guard guard(files.lock);
    files.paths.insert(path_);
}

OutputFile::~OutputFile() {
    OutputFiles& files = output_files();
    const std::lock_guard guard(files.lock);
    files.paths.erase(files.paths.find(path_));
}

void refuse_output_as_input(const std::filesystem::path& path, const SourceRange& mentioned_at) {
    OutputFiles& files = output_files();
    const std::lock_guard guard(files.lock);
    if (files.paths.empty() || !files.paths.contains(one_name(path))) return;
    throw BadInput(DiagnosticKind::unwritable_file, mentioned_at, fmt::format("cannot write `{}`", path.string()),
                   "it is an input of this run; expected another name");
}

}  // namespace warpfront::input
