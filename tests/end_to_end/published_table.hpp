// `warpfront compare` beside published values, for tests.
#pragma once

#include "tests/end_to_end/program.hpp"

namespace warpfront::end_to_end {

/// A test's own published table, as an argument.
class PublishedTable {
public:
    explicit PublishedTable(const std::string& text) : path_(scratch_.file("t.csv", text)) {}
    std::string against() const { return "--against " + quoted(path_) + " "; }

private:
    Scratch scratch_;
    std::filesystem::path path_;
};

inline const std::string kCompareSweep3d = "compare models/sweep3d/billion.yaml ";

}  // namespace warpfront::end_to_end
