#include "simulator/results/output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <system_error>

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

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw input::BadInput(input::FaultKind::unwritable_file, {}, fmt::format("cannot write `{}`", path.string()), why);
}

bool write_all(std::FILE* file, std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view text) {
    std::filesystem::path beside = path;
    beside += ".part";
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) refuse(path, "it is a directory");
    std::unique_ptr<std::FILE, Close> file(std::fopen(beside.c_str(), "wb"));
    if (!file) refuse(path, std::strerror(errno));
    Partial partial(beside);
    if (!write_all(file.get(), text)) refuse(path, std::strerror(errno));
    file.reset();
    std::filesystem::rename(beside, path, error);
    if (error) refuse(path, error.message());
    partial.keep();
}

void write_output(const std::string& target, std::string_view text) {
    if (target != "-") return write_atomically(target, text);
    if (!write_all(stdout, text)) refuse("-", std::strerror(errno));
}

}  // namespace warpfront::results
