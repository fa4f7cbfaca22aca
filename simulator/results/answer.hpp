// The answer of a command: a table for people on stdout and, where wanted, the same quantities as JSON and as CSV.
//
// The CSV (RFC 4180) has a line `quantity,value`, then one per value of the JSON: its keys and places in lists, which
// count from 0, joined by dots, as in `critical_path.compute_s` or `iteration_s.0.1`. Numbers have all digits of their
// double.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "simulator/results/output.hpp"

namespace warpfront::results {

class Answer {
public:
    /// Each is a file, or `-` for stdout in place of the table. Throws BadInput if one cannot be written, or if both go
    /// to stdout (bad_option).
    Answer(const std::optional<std::string>& json, const std::optional<std::string>& csv);

    bool has_table() const;
    bool has_data() const { return json_ || csv_; }
    /// Each is written even if another fails; throws BadInput with all failures.
    void write(const nlohmann::ordered_json& data, std::string_view table) const;

private:
    std::optional<Output> json_;
    std::optional<Output> csv_;
};

std::string quantities_csv(const nlohmann::ordered_json& data);

/// In quotes if it has a comma, a quote or a line break.
std::string csv_cell(const std::string& text);

}  // namespace warpfront::results
