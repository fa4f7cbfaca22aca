// Published statements beside the values computed here. A study compares its results with the statements of its source
// (tools/study/judgements.hpp), a list of comparisons each column of its tables
// (tools/study/comparison/column_judgements.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/units/percent.hpp"

namespace warpfront::tools {

/// The result of one engine compared with a statement.
struct Judgement {
    std::string engine;
    std::string ours;                     // our value: "4K", "0.031", "0.9 to 1.1"
    std::optional<Percent> difference{};  // difference from the statement; the largest of several
    bool agrees = false;
};

/// Formats the result, with its difference unless the text itself has percentages.
std::string text_of(const Judgement& judgement);

/// The verdict on a statement: all engines agree with it, or no engine has run. If one differs, the cause that the item
/// states has been tested by an experiment (explained), is only described (not_known), or is missing (differs).
enum class Verdict : std::uint8_t { agrees, explained, not_known, differs, not_run };

std::string_view name_of(Verdict verdict);

struct Statement {
    std::string states{};
    std::string expected{};         // as the file states it: "4K or 8K", "0.029 within 5 %"
    std::vector<Judgement> ours{};  // judgements of the engines
    bool our_bounds = false;        // true: the tolerance is not the source's
    std::string reason{};           // explanation of a difference
    std::string tested_by{};        // empty: the cause is not known

    bool agrees() const;
    Verdict verdict() const;
    /// Adds `engines`, and `bounds`, `reason` and `tested_by` if there are any.
    void add_to(nlohmann::ordered_json& json) const;
};

}  // namespace warpfront::tools
