// A folder for one test, removed afterwards.
#pragma once

#include "tests/preamble.hpp"

namespace warpfront::test {

class Scratch {
public:
    Scratch() {
        const std::string name = "warpfront-test-" + std::string(6, 'X');  // the form mkdtemp fills in
        std::string pattern = (std::filesystem::temp_directory_path() / name).string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for this test");
        folder_ = pattern;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    const std::filesystem::path& folder() const { return folder_; }

    /// Writes `text` to a file of that name.
    std::filesystem::path file(std::string_view name, std::string_view text) const {
        const std::filesystem::path path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

private:
    std::filesystem::path folder_;
};

}  // namespace warpfront::test
