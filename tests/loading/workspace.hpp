// Helpers for tests of files: temporary folders, faults by kind.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/source.hpp"

namespace warpfront::machine {

/// A temporary folder, removed with its owner.
class Workspace {
public:
    Workspace() {
        std::string pattern = (std::filesystem::temp_directory_path() / "warpfront-machine-").string();
        pattern += std::string(6, 'X');
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = pattern;
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;
    ~Workspace() { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    input::SourceFilePtr source(const std::string& name, const std::string& text) const {
        return input::read_file(write(name, text));
    }

private:
    std::filesystem::path folder_;
};

/// The faults of `work`; none if it throws nothing.
inline input::Diagnostics faults_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const input::BadInput& bad) {
        return bad.faults();
    }
    return {};
}

/// The only fault of that kind; throws if there is none or several.
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

}  // namespace warpfront::machine
