// A summary of the trials of a campaign, to check its coverage.
#pragma once

#include "tests/campaign/verdict.hpp"

namespace warpfront::campaign {

class Summary {
public:
    void add(const Trial& trial, const Verdict& verdict);

    std::uint64_t failed() const { return failed_; }
    /// Returns true if too few were compared for a meaningful result: none at all, or less than three quarters of many.
    bool tried_too_little() const;
    /// Formats a table of several lines.
    std::string text(double elapsed_s) const;

private:
    using Histogram = std::array<std::uint64_t, 5>;  // 1, 2 to 9, to 99, to 999, more

    std::uint64_t compared() const { return trials_ - refused_; }

    std::uint64_t trials_ = 0;
    std::uint64_t refused_ = 0;
    std::uint64_t failed_ = 0;
    std::uint64_t large_ = 0;  // of at least 100 ranks and 100 tiles
    std::uint64_t skipped_iterations_ = 0;
    std::uint64_t deadlocks_ = 0;
    std::uint64_t overflows_ = 0;
    std::uint64_t stepped_ = 0;
    Histogram ranks_{};
    Histogram tiles_{};
    std::map<std::string, std::uint64_t> models_;
    std::map<std::string, std::uint64_t> machines_;
    std::map<std::string, std::uint64_t> refusals_;  // by the first line of their message, without its place
};

}  // namespace warpfront::campaign
