// Positions of the Language Server Protocol: lines from 0, characters as UTF-16 code units from 0. And its URIs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace warpfront::tools {

/// A position beyond the end of its line means the end of the line, a line beyond the last the end of the text.
std::size_t offset_of(std::string_view text, const nlohmann::json& position);
nlohmann::json position_of(std::string_view text, std::size_t offset);
nlohmann::json range_of(std::string_view text, std::size_t offset, std::size_t length);

std::filesystem::path path_of_uri(std::string_view uri);
std::string uri_of_path(const std::filesystem::path& path);

}  // namespace warpfront::tools
