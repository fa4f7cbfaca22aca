#include "simulator/input/read_file.hpp"

#include <cctype>
#include <cerrno>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::input {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const SourceRange& mentioned_at, const std::string& why) {
    throw BadInput(DiagnosticKind::unreadable_file, mentioned_at, fmt::format("cannot read `{}`", path.string()), why);
}

std::string reason(std::error_code error) {
    if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) return "no such file";
    std::string text = error.message();
    if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

/// Returns true for a descriptor that was passed to this process, as the shell does for `<(command)`.
bool is_descriptor(const std::filesystem::path& path) {
    const std::string name = path.string();
    return name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/") || name == "/dev/stdin";
}

/// Refuses a path unless it is a regular file or a pipe that was passed to this process: any other pipe could block for
/// ever, and a device could be endless.
void demand_readable_file(const std::filesystem::path& path, const SourceRange& mentioned_at) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::is_fifo(status) && is_descriptor(path)) return;
    if (status.type() == std::filesystem::file_type::not_found) refuse(path, mentioned_at, "no such file");
    if (error) refuse(path, mentioned_at, reason(error));
    if (std::filesystem::is_directory(status)) refuse(path, mentioned_at, "it is a directory");
    if (!std::filesystem::is_regular_file(status)) refuse(path, mentioned_at, "it is not a regular file");
}

[[noreturn]] void refuse_size(const std::filesystem::path& path, const SourceRange& mentioned_at,
                              const std::string& size, std::size_t most) {
    throw BadInput(DiagnosticKind::file_too_large, mentioned_at, fmt::format("`{}` has {} bytes", path.string(), size),
                   fmt::format("expected at most {} bytes", most));
}

std::string text_of_file(std::ifstream& file, const std::filesystem::path& path, const SourceRange& mentioned_at,
                         std::size_t most) {
    file.seekg(0, std::ios::end);
    const std::streamoff size = file.tellg();
    if (size < 0) refuse(path, mentioned_at, "its size is unknown");
    if (static_cast<std::size_t>(size) > most) refuse_size(path, mentioned_at, std::to_string(size), most);
    std::string text(static_cast<std::size_t>(size), '\0');
    file.seekg(0);
    file.read(text.data(), size);
    if (file.gcount() != size) refuse(path, mentioned_at, "it ended early");
    return text;
}

/// Returns the text of a pipe. It is kept, since a pipe can be read once, and a file may be read several times in a
/// run.
std::string text_of_pipe(std::ifstream& file, const std::filesystem::path& path, const SourceRange& mentioned_at,
                         std::size_t most) {
    static std::mutex mutex;
    static std::map<std::string, std::string> kept;
    const std::lock_guard lock(mutex);
    const auto [text, is_new] = kept.try_emplace(path.string());
    if (!is_new) return text->second;
    std::string read(most + 1, '\0');
    file.read(read.data(), static_cast<std::streamsize>(read.size()));
    read.resize(static_cast<std::size_t>(file.gcount()));
    if (read.size() > most) refuse_size(path, mentioned_at, fmt::format("more than {}", most), most);
    return text->second = std::move(read);
}

}  // namespace

SourceFilePtr read_file(const std::filesystem::path& path, const SourceRange& mentioned_at, std::size_t most) {
    refuse_output_as_input(path, mentioned_at);
    demand_readable_file(path, mentioned_at);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse(path, mentioned_at, reason({errno, std::generic_category()}));
    std::string text = std::filesystem::is_fifo(path) ? text_of_pipe(file, path, mentioned_at, most)
                                                      : text_of_file(file, path, mentioned_at, most);
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    return std::make_shared<const SourceFile>(path.string(), std::move(text));
}

SourceFilePtr FilesReadOnce::read(const std::filesystem::path& path, const SourceRange& mentioned_at) {
    SourceFilePtr& file = by_path_[path.lexically_normal()];
    if (!file) file = read_file(path, mentioned_at);
    return file;
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
    return is_descriptor(file) ? std::filesystem::path() : file.parent_path();
}

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

/// Returns the same name for all paths and links that lead to the same file.
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
