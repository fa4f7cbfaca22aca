// A file that exists as long as its owner.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <unistd.h>

namespace warpfront::machine {

/// An XML in the folder for temporary files. Throws std::system_error if it cannot be written.
class TemporaryXml {
public:
    explicit TemporaryXml(const std::string& text) {
        std::string pattern = (std::filesystem::temp_directory_path() / "warpfront-").string();
        pattern += std::string(6, 'X') + ".xml";
        const int file = ::mkstemps(pattern.data(), 4);
        if (file < 0) throw std::system_error(errno, std::generic_category(), "no temporary file for a platform");
        path_ = pattern;
        const ssize_t written = ::write(file, text.data(), text.size());
        ::close(file);
        if (written != static_cast<ssize_t>(text.size())) {
            std::filesystem::remove(path_);
            throw std::system_error(errno, std::generic_category(), "no room for a platform's copy");
        }
    }
    TemporaryXml(const TemporaryXml&) = delete;
    TemporaryXml& operator=(const TemporaryXml&) = delete;
    ~TemporaryXml() {
        std::error_code already_removed;
        std::filesystem::remove(path_, already_removed);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace warpfront::machine
