// Helpers for tests of files: temporary folders, faults by kind.
#pragma once

#include "simulator/input/read_file.hpp"
#include "simulator/input/source.hpp"
#include "simulator/machine/loading/build.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

namespace warpfront::machine {

/// A temporary folder, removed with its owner.
struct Workspace : test::Scratch {
    std::filesystem::path write(const std::string& name, const std::string& text) const { return file(name, text); }
    input::SourceFilePtr source(const std::string& name, const std::string& text) const {
        return input::read_file(write(name, text));
    }
};

using test::faults_of;
using test::summary_of;

/// Returns the only fault of that kind; throws if there is none or several.
inline input::Diagnostic only(const input::Diagnostics& faults, input::DiagnosticKind kind) {
    std::vector<input::Diagnostic> found;
    for (const input::Diagnostic& fault : faults.all()) {
        if (fault.kind == kind) found.push_back(fault);
    }
    if (found.size() != 1) {
        throw std::runtime_error(
            fmt::format("{} faults `{}` in\n{}", found.size(), input::kind_name(kind), faults.render()));
    }
    return found.front();
}

inline unsigned line_of(const input::Diagnostic& fault) {
    return fault.range.source->position(fault.range.offset).line;
}
inline std::string marked(const input::Diagnostic& fault) {
    return std::string(fault.range.source->text().substr(fault.range.offset, fault.range.length));
}

/// Ranks, and the hardware file of the machine that they are requested on.
struct MachineRequest : RankRequest {
    std::filesystem::path hardware_file;
    HardwareOverrides overrides{};
};

/// Reads the hardware and places the ranks. Throws BadInput.
inline BuiltMachine build(const MachineRequest& request) {
    Hardware hardware(read_hardware_tree(request.hardware_file), request.overrides);
    return place(hardware, request);
}

/// Returns the notes of `check` on a hardware file, without the file's folder.
inline std::vector<std::string> notes_of_check(const std::filesystem::path& file) {
    const std::string folder = file.parent_path().string() + "/";
    std::vector<std::string> notes = check(file);
    for (std::string& note : notes) {
        if (const std::size_t at = note.find(folder); at != std::string::npos) note.erase(at, folder.size());
    }
    return notes;
}

using Say = std::function<void(Rank, Rank)>;

/// Returns a request for a machine of this hardware file; ranks exchange messages with their east neighbours, both
/// ways.
inline MachineRequest request_for(const std::filesystem::path& file, RankGrid grid, Patch patch = {1, 1}) {
    MachineRequest request;
    request.hardware_file = file;
    request.grid = grid;
    request.patch = patch;
    request.pairs = [grid](const Say& say) {
        for (std::uint32_t row = 1; row <= grid.rows; ++row) {
            for (std::uint32_t column = 1; column < grid.columns; ++column) {
                say(grid.at(column, row), grid.at(column + 1, row));
                say(grid.at(column + 1, row), grid.at(column, row));
            }
        }
    };
    return request;
}

/// Returns a request for one of the shipped machines.
inline MachineRequest request_for_shipped(const std::string& name, RankGrid grid, Patch patch = {1, 1}) {
    return request_for(std::filesystem::path(WARPFRONT_SOURCE_DIR) / "platforms" / name, grid, patch);
}

}  // namespace warpfront::machine
