// A model file, read with all its imports, parsed and checked.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "psl/syntax/roles.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::psl {

struct CheckedModel;  // the syntax tree and its types, declared in model.hpp

/// A parameter of the application. Scenarios set its value.
struct ParameterInfo {
    std::string name;
    std::string type;       // "int", "real", "time", "bytes", "bool"
    bool required = false;  // true if the parameter has no default
};

class Model {
public:
    explicit Model(std::shared_ptr<const CheckedModel> checked);
    const std::string& name() const;                // name of the model's application
    std::vector<ParameterInfo> parameters() const;  // parameters of the application in order of declaration
    /// Returns the parameter with this role. If none declares the role, returns the one with a usual name (roles.hpp).
    std::optional<std::string> parameter_with(Role role) const;
    /// the model file and all its imports; results list them as `context.inputs`
    std::vector<SourceFilePtr> sources() const;
    const CheckedModel& checked() const { return *checked_; }
    /// Returns true if the application has lists of tasks instead of an iteration.
    bool has_tasks() const;

private:
    std::shared_ptr<const CheckedModel> checked_;
};

/// Loads a model file. `mentioned_at` is the range in a scenario that names the file. Throws BadInput with all errors
/// in the file and its imports.
Model load(const std::filesystem::path& path, const SourceRange& mentioned_at = {});

/// Loads the text of a file that is not saved yet. Imports are read from the folder of `path`.
Model load_text(const std::filesystem::path& path, std::string text);

}  // namespace warpfront::psl
