// A counted kernel: a subtask with a value in a PSL file, written by `costs` or by hand. It gives the cost of a call.
//
//   Kernel kernel(request);
//   KernelCost cost = kernel.cost({"20", "25", "10"});
//   double picoseconds = cost.fixed + cost.work / rate;
//
// A call is evaluated by the PSL library, in a model of one rank that imports the file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "psl/psl.hpp"
#include "simulator/input/source.hpp"

namespace warpfront::learning {

/// A word of the command line, with its place.
struct Word {
    std::string text;
    input::SourceRange range{};
};

/// The options of `learn` that concern a counted kernel.
struct KernelRequest {
    std::filesystem::path file;
    input::SourceRange range{};     // where the file is named
    std::optional<Word> subtask{};  // without it, the first one for which the processor has times
    std::vector<std::filesystem::path>
        hardware{};                // files with hardware objects; the first is of the recording's processor
    std::vector<Word> blocks{};    // learnt blocks that the kernel replaces; if empty, the one with the most computing
    std::vector<Word> bindings{};  // PARAMETER=NAME or PARAMETER=NUMBER
};

struct KernelParameter {
    std::string name;
    input::SourceRange range;
    std::optional<std::string> preset;  // the text of its default
};

/// The cost of one call. On a processor that achieves `rate` it takes `fixed` + `work` / `rate`.
struct KernelCost {
    double fixed = 0.0;       // seconds, of `time` entries
    double work = 0.0;        // floating-point operations; for `count` entries, the number that takes the same time
    double operations = 0.0;  // the sum of all `flops` and `count` entries
};

class Kernel {
public:
    /// Reads the file. Throws BadInput: faults of the files, unknown_kernel, unknown_name, no_hardware, wrong_type.
    explicit Kernel(const KernelRequest& request);

    const std::string& subtask() const { return subtask_; }
    const std::vector<KernelParameter>& parameters() const { return parameters_; }
    /// Returns the paths of the kernel's file and of the files with hardware objects, as given.
    const std::vector<std::filesystem::path>& files() const { return files_; }
    /// Returns the name of the recording's processor: the name of the first hardware object, or "recorded" without one.
    const std::string& processor() const { return processor_; }
    /// Returns the rate of that hardware object, in operations per second; nothing if the costs use none.
    std::optional<double> object_rate() const { return object_rate_; }

    /// Returns the cost of a call with these arguments: texts in PSL, for all parameters or for the first few. Throws
    /// BadInput if the subtask has no value for them.
    const KernelCost& cost(const std::vector<std::string>& arguments) const;

private:
    double seconds(const psl::Model& probe, const std::string& processor, double rate) const;

    std::vector<std::filesystem::path> files_;
    std::string subtask_;
    std::vector<KernelParameter> parameters_;
    std::vector<std::string> operations_;  // names of all `count` entries of the file
    std::string processor_ = "recorded";
    std::optional<double> object_rate_;
    mutable std::map<std::vector<std::string>, KernelCost> known_;
};

}  // namespace warpfront::learning
