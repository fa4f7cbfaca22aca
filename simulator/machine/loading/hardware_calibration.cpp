#include "simulator/machine/loading/hardware_calibration.hpp"

#include "simulator/machine/loading/hardware_tree.hpp"

namespace warpfront::machine {

std::optional<CalibrationName> calibration_of(const std::filesystem::path& hardware_file) {
    input::Diagnostics reported_elsewhere;
    try {
        const HardwareTree tree = read_hardware_tree(hardware_file, {}, reported_elsewhere);
        const input::YamlNode* name = tree.root.find("calibration");
        if (name == nullptr || name->kind != input::YamlNode::Kind::scalar) return std::nullopt;
        const bool is_own = name->range.source == tree.sources.front();
        if (!is_own || name->scalar.empty() || input::truth_of(name->scalar) == false) return std::nullopt;
        const std::filesystem::path folder = std::filesystem::path(name->range.source->name()).parent_path();
        return CalibrationName{(folder / name->scalar).lexically_normal(), name->range};
    } catch (const input::BadInput&) {
        return std::nullopt;
    }
}

}  // namespace warpfront::machine
