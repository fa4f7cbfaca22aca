// Cases from published tables: experiments with measurements and predictions to compare with. Each row of a table
// changes a scenario (simulator/scenario/reference_data.hpp). A table is named on the command line, in the plan of a
// calibration, or in a list. `compare` and `sources` read lists:
//
//   comparisons:
//     - scenario: chimaera/chimaera.yaml      relative to the list's own file; so is `against`
//       against: chimaera/measured/xt4.csv
//       set: {parameters.nz: 120}             optional: changes of the scenario, or [parameters.nz=120]
//       name: Chimaera, XT4                   optional; default: the names of the two files without extension
//       within: {pred: 1 %, exec: 10 %}       optional: tolerance against a published column
//       reason: ...                           optional: the known reason for larger differences
//       tested_by: COMMAND or file            optional: the experiment that confirms the reason; for single columns
//                                             {pred: COMMAND or file}
//   source: Mudalige 2009, tables B.1, B.2    optional: the source of the tables
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/scenario/reference_data.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/prediction_error.hpp"

namespace warpfront::tools {

/// A scenario and a published table. Each row of the table changes the scenario.
struct CaseTable {
    std::string name{};  // name in the list; may be empty
    scenario::NamedScenario scenario;
    std::filesystem::path file;  // the table, relative to the current directory
    SourceRange range{};         // range of the table's name
};

/// Reads the keys `scenario`, `set` and `against`. Diagnostics: missing_key, and those of scenario::read_changes.
CaseTable read_case_table(MappingReader& keys, Diagnostics& faults);

/// An experiment with its published values.
struct Case {
    std::string table{};                 // name of the table
    scenario::ReferenceRow published{};  // empty if the case belongs to no table
    scenario::Scenario scenario{};
    std::vector<SourceFilePtr> sources{};  // the table, and the list that names the table

    bool is_of_table() const { return published.line != 0; }
};

/// Finds arguments of `--set` that have no effect because every row of the published tables replaces their values. Such
/// an argument is an error. If at least one row keeps the value of an argument, the argument has an effect.
class HiddenArguments {
public:
    /// Adds a row. `base` is the tree of its scenario with the arguments of `--set`, and `row` also has the overrides
    /// of the row.
    void add(const YamlNode& base, const YamlNode& row);
    /// Throws BadInput (conflicting_keys) if every row replaces some value.
    void refuse() const;

private:
    struct Value {
        SourceRange range;
        bool is_kept = false;  // true if some row keeps the value
    };
    /// values by argument, and by their position in the argument
    std::map<std::pair<std::string, std::size_t>, Value> values_;
};

struct Cases {
    std::vector<Case> all;
    std::vector<std::string> notes{};     // notes on tables
    std::vector<std::string> warnings{};  // warnings about skipped rows, with the names of their tables
    HiddenArguments hidden{};

    /// Adds a case for each row of the table. `sets` are arguments of --set. Throws BadInput with the errors of all
    /// rows, or nothing_to_compare if all rows are skipped.
    void add(const CaseTable& table, const std::vector<std::string>& sets);
};

/// An entry of a list: a table with tolerances.
struct ComparisonEntry : CaseTable {
    std::map<std::string, Percent> within{};  // tolerance of each published column
    std::string reason{};
    std::map<std::string, std::string> tested_by{};  // experiment that confirms the reason, by published column
};

struct ComparisonList {
    std::string source_text;  // value of the key `source`
    std::vector<ComparisonEntry> entries;
};

/// Returns true if a YAML file is a list of comparisons, with the key `comparisons`. Throws BadInput if it is not YAML.
bool is_comparison_list(const SourceFilePtr& source);

/// Reads a list. It must have at least one entry, and the names of entries must differ. Throws BadInput with all
/// errors: unknown_key, missing_key, wrong_yaml_type, nothing_to_compare, duplicate_name, and those of percentages.
ComparisonList read_comparison_list(const SourceFilePtr& source);

// Published statements beside the values computed here. A study compares its results with the statements of its source
// (tools/study/outputs.hpp). A list of comparisons compares each column of its tables
// (tools/study/comparison/column_judgements.cpp).

/// The result of one engine compared with a statement.
struct Judgement {
    std::string engine;
    std::string ours;                     // our value as text: "4K", "0.031", "0.9 to 1.1"
    std::optional<Percent> difference{};  // difference from the statement; for several values the largest
    bool agrees = false;
};

/// Formats the result. Adds the difference unless the text already contains percentages.
std::string text_of(const Judgement& judgement);

/// The verdict on a statement. `agrees` means that all engines agree with it, and `not_run` that no engine has run.
/// Otherwise an engine differs. Then an experiment has tested the stated cause (`explained`), a cause is stated but not
/// tested (`not_known`), or no cause is stated (`differs`).
enum class Verdict : std::uint8_t { agrees, explained, not_known, differs, not_run };

std::string_view name_of(Verdict verdict);

struct Statement {
    std::string states{};
    std::string expected{};         // text of the file: "4K or 8K", "0.029 within 5 %"
    std::vector<Judgement> ours{};  // result of each engine
    bool our_bounds = false;        // true if the source does not state the tolerance
    std::string reason{};           // explanation of a difference
    std::string tested_by{};        // the experiment that tested the reason; empty if there is none

    bool agrees() const;
    Verdict verdict() const;
    /// Adds `engines`. Also adds `bounds`, `reason` and `tested_by` if they are stated.
    void add_to(nlohmann::ordered_json& json) const;
};

}  // namespace warpfront::tools
