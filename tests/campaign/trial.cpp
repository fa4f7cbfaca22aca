#include "tests/campaign/trial.hpp"

namespace warpfront::campaign {

namespace {

/// Quotes an argument unless the shell leaves it unchanged.
std::string quoted(const std::string& argument) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:+%,";
    if (argument.find_first_not_of(kPlain) == std::string::npos) return argument;
    return '\'' + argument + '\'';
}

}  // namespace

std::string Trial::from_scenario(const std::filesystem::path& file) const {
    return file.lexically_relative(scenario.parent_path()).generic_string();
}

std::string Trial::from_folder(const std::filesystem::path& file) const {
    return file.lexically_relative(folder).generic_string();
}

std::string command(const Trial& trial, const std::string& options) {
    std::string line = "build/warpfront run " + quoted(trial.scenario.generic_string());
    for (const std::string& set : trial.sets) line += " --set " + quoted(set);
    return options.empty() ? line : line + ' ' + options;
}

void write_files(const Trial& trial) {
    if (trial.files.empty()) return;
    std::filesystem::create_directories(trial.folder);
    for (const auto& [name, text] : trial.files) {
        std::ofstream file;
        file.exceptions(std::ios::failbit | std::ios::badbit);
        file.open(trial.folder / name, std::ios::binary);
        file << text;
        file.close();
    }
}

void remove_files(const Trial& trial) {
    if (!trial.files.empty()) std::filesystem::remove_all(trial.folder);
}

}  // namespace warpfront::campaign
