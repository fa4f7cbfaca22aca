// Cases from published tables: experiments with measurements and predictions to compare with. A table stands beside a
// scenario that its rows change (simulator/scenario/reference_data.hpp), on the command line, in the plan of a
// calibration, or in a list, which `compare` and `sources` read:
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

/// A scenario and a published table, each row of which changes the scenario.
struct CaseTable {
    std::string name{};  // name in its list; may be empty
    scenario::NamedScenario scenario;
    std::filesystem::path file;  // the table, relative to the current directory
    SourceRange range{};         // place of its name
};

/// Reads the keys `scenario`, `set` and `against`. Diagnostics: missing_key, and those of scenario::read_changes.
CaseTable read_case_table(MappingReader& keys, Diagnostics& faults);

/// An experiment and its published values.
struct Case {
    std::string table{};                 // the name of its table
    scenario::ReferenceRow published{};  // empty if the case belongs to no table
    scenario::Scenario scenario{};
    std::vector<SourceFilePtr> sources{};  // the table, and the list that names it

    bool is_of_table() const { return published.line != 0; }
};

/// The values of `--set` that every row of the published tables replaces. Such values have no effect, so they are
/// refused. A value that some row keeps is a setting of that row.
class HiddenArguments {
public:
    /// Adds a row: the tree of its scenario with the overrides of `--set` alone, and with those of the row as well.
    void add(const YamlNode& base, const YamlNode& row);
    /// Throws BadInput (conflicting_keys) if every row hides a value.
    void refuse() const;

private:
    struct Value {
        SourceRange range;
        bool is_kept = false;  // true if a row keeps the value
    };
    std::map<std::pair<std::string, std::size_t>, Value> values_;  // values by the argument and the place in it
};

struct Cases {
    std::vector<Case> all;
    std::vector<std::string> notes{};     // notes on tables
    std::vector<std::string> warnings{};  // warnings about skipped rows, with their table
    HiddenArguments hidden{};

    /// Adds a case for each row of the table; `sets` are arguments of --set. Throws BadInput with the faults of all
    /// rows; the fault is nothing_to_compare for a table whose rows are all skipped.
    void add(const CaseTable& table, const std::vector<std::string>& sets);
};

/// An entry of a list, with its tolerances.
struct ComparisonEntry : CaseTable {
    std::map<std::string, Percent> within{};  // tolerance, by published column
    std::string reason{};
    std::map<std::string, std::string> tested_by{};  // experiment, by published column
};

struct ComparisonList {
    std::string source_text;  // the text of `source`
    std::vector<ComparisonEntry> entries;
};

/// Returns true if a YAML file is a list of comparisons, with the key `comparisons`. Throws BadInput if it is not YAML.
bool is_comparison_list(const SourceFilePtr& source);

/// Reads a list with at least one entry, each with a different name. Throws BadInput with all errors: unknown_key,
/// missing_key, wrong_yaml_type, nothing_to_compare, duplicate_name, and those of percentages.
ComparisonList read_comparison_list(const SourceFilePtr& source);

// Published statements beside the values computed here. A study compares its results with the statements of its source
// (tools/study/outputs.hpp). A list of comparisons compares each column of its tables
// (tools/study/comparison/column_judgements.cpp).

/// The result of one engine compared with a statement.
struct Judgement {
    std::string engine;
    std::string ours;                     // our value: "4K", "0.031", "0.9 to 1.1"
    std::optional<Percent> difference{};  // difference from the statement; the largest of several
    bool agrees = false;
};

/// Formats the result, with its difference unless the text itself has percentages.
std::string text_of(const Judgement& judgement);

/// The verdict on a statement. Either all engines agree with it, or no engine has run, or an engine differs. In the
/// last case an experiment has tested the cause that the item states (explained), the item only describes a cause
/// (not_known), or it states none (differs).
enum class Verdict : std::uint8_t { agrees, explained, not_known, differs, not_run };

std::string_view name_of(Verdict verdict);

struct Statement {
    std::string states{};
    std::string expected{};         // as the file states it: "4K or 8K", "0.029 within 5 %"
    std::vector<Judgement> ours{};  // judgements of the engines
    bool our_bounds = false;        // true if the source does not state the tolerance
    std::string reason{};           // explanation of a difference
    std::string tested_by{};        // empty: the cause is not known

    bool agrees() const;
    Verdict verdict() const;
    /// Adds `engines`, and `bounds`, `reason` and `tested_by` if there are any.
    void add_to(nlohmann::ordered_json& json) const;
};

}  // namespace warpfront::tools
