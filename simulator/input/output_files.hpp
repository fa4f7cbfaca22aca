// The files that a run is going to write: as its inputs they would be destroyed, so reading them is a fault.
#pragma once

#include <filesystem>

#include "simulator/input/source.hpp"

namespace warpfront::input {

/// A file that the run is going to write, while this lives. May be used from any thread.
class OutputFile {
public:
    explicit OutputFile(const std::filesystem::path& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

private:
    std::filesystem::path path_;
};

/// Throws BadInput (unwritable_file) if the run is going to write the input `path`. `mentioned_at`: where another file
/// names the input.
void refuse_output_as_input(const std::filesystem::path& path, const SourceRange& mentioned_at = {});

}  // namespace warpfront::input
