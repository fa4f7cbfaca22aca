#include "simulator/results/output.hpp"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/fault.hpp"

namespace warpfront::results {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Removes the partial file unless it became the whole one.
class Partial {
public:
    explicit Partial(std::filesystem::path path) : path_(std::move(path)) {}
    Partial(const Partial&) = delete;
    Partial& operator=(const Partial&) = delete;
    ~Partial() {
        std::error_code ignored;
        if (!kept_) std::filesystem::remove(path_, ignored);
    }
    void keep() { kept_ = true; }

private:
    std::filesystem::path path_;
    bool kept_ = false;
};

[[noreturn]] void refuse(const std::filesystem::path& path, std::string why) {
    why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
    throw input::BadInput(input::FaultKind::unwritable_file, {}, fmt::format("cannot write `{}`", path.string()), why);
}

using File = std::unique_ptr<std::FILE, Close>;

File open(const std::filesystem::path& opened, const std::filesystem::path& named) {
    File file(std::fopen(opened.c_str(), "wb"));
    if (!file) refuse(named, std::strerror(errno));
    return file;
}

void write_all(std::FILE* file, std::string_view text, const std::filesystem::path& named) {
    const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    if (!whole) refuse(named, std::strerror(errno));
}

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view text) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) refuse(path, "it is a directory");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        write_all(open(path, path).get(), text, path);  // a pipe or a device stays what it is
        return;
    }
    std::filesystem::path whole = std::filesystem::canonical(path, error);  // behind links, which stay too
    if (error) whole = path;
    std::filesystem::path beside = whole;
    beside += ".part";
    File file = open(beside, path);
    Partial partial(beside);
    write_all(file.get(), text, path);
    file.reset();
    std::filesystem::rename(beside, whole, error);
    if (error) refuse(path, error.message());
    partial.keep();
}

void write_output(const std::string& target, std::string_view text) {
    if (target == "-") {
        write_all(stdout, text, "stdout");
    } else {
        write_atomically(target, text);
    }
}

}  // namespace warpfront::results
