// A counted kernel: a subtask in a PSL file that returns the cost of a call. `costs` or the user writes it.
//
//   Kernel kernel(request);
//   KernelCost cost = kernel.cost({"20", "25", "10"});
//   double picoseconds = cost.fixed + cost.work / rate;
//
// The PSL library evaluates a call, in a model of one rank that imports the file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "psl/psl.hpp"
#include "simulator/input/source.hpp"

namespace warpfront::learning {

/// A word of the command line, with its range.
struct Word {
    std::string text;
    input::SourceRange range{};
};

/// The options of `learn` for a counted kernel.
struct KernelRequest {
    std::filesystem::path file;
    input::SourceRange range{};     // range of the file's name on the command line
    std::optional<Word> subtask{};  // if empty, the first subtask for which the processor has times
    std::vector<std::filesystem::path>
        hardware{};                // files with hardware objects; the first file describes the recording's processor
    std::vector<Word> blocks{};    // blocks that the kernel replaces; if empty, the block with the most computing
    std::vector<Word> bindings{};  // texts PARAMETER=NAME or PARAMETER=NUMBER
};

struct KernelParameter {
    std::string name;
    input::SourceRange range;
    std::optional<std::string> preset;  // text of the default
};

/// The cost of one call. On a processor with the rate `rate`, it takes `fixed` + `work` / `rate`.
struct KernelCost {
    double fixed = 0.0;  // seconds of `time` entries
    /// floating-point operations; a `count` entry adds the number of operations that takes the same time
    double work = 0.0;
    double operations = 0.0;  // sum of all `flops` and `count` entries
};

class Kernel {
public:
    /// Reads the file. Throws BadInput: errors in the files, unknown_kernel, unknown_name, no_hardware, wrong_type.
    explicit Kernel(const KernelRequest& request);

    const std::string& subtask() const { return subtask_; }
    const std::vector<KernelParameter>& parameters() const { return parameters_; }
    /// Returns the paths of the kernel's file and of the files with hardware objects, as given.
    const std::vector<std::filesystem::path>& files() const { return files_; }
    /// Returns the name of the recording's processor: the name of the first hardware object, or "recorded" if there is
    /// none.
    const std::string& processor() const { return processor_; }
    /// Returns the rate of the recording's processor by its hardware object, in operations per second. Returns nothing
    /// if no cost uses a hardware object.
    std::optional<double> object_rate() const { return object_rate_; }

    /// Returns the cost of a call. The arguments are texts in PSL for all parameters, or for the first few. Throws
    /// BadInput if the subtask returns no value for them.
    const KernelCost& cost(const std::vector<std::string>& arguments) const;

private:
    double seconds(const psl::Model& probe, const std::string& processor, double rate) const;

    std::vector<std::filesystem::path> files_;
    std::string subtask_;
    std::vector<KernelParameter> parameters_;
    std::vector<std::string> operations_;  // names of all `count` entries in the file
    std::string processor_ = "recorded";
    std::optional<double> object_rate_;
    mutable std::map<std::vector<std::string>, KernelCost> known_;
};

}  // namespace warpfront::learning
