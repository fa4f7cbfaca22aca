// The files that a run will write. The run would destroy them as inputs, so reading them is an error.
#pragma once

#include <filesystem>

#include "simulator/input/source.hpp"

namespace warpfront::input {

/// A file that the run will write, during the lifetime of this object. It may be used from any thread.
class OutputFile {
public:
    explicit OutputFile(const std::filesystem::path& path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();

private:
    std::filesystem::path path_;
};

/// Throws BadInput (unwritable_file) if the run will write the input `path`. `mentioned_at` is the place in another
/// file that names the input.
void refuse_output_as_input(const std::filesystem::path& path, const SourceRange& mentioned_at = {});

}  // namespace warpfront::input
