// One session of the Language Server Protocol over models: diagnostics as the user types, hover, go to definition,
// completion, formatting. Documents are synchronised as a whole. While a document has faults, hover,
// definition and completion use the names of its last version without faults.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "psl/psl.hpp"

namespace warpfront::tools {

class LspSession {
public:
    /// Returns the messages to send in reply: responses and notifications. Throws nothing, whatever the client sends.
    std::vector<nlohmann::json> handle(const nlohmann::json& message);
    /// Returns true after the client has ended the session.
    bool ended() const { return ended_; }
    /// Returns true if the client has requested the shutdown before the end, as it must.
    bool in_order() const { return shut_down_; }

private:
    struct Document {
        std::string text;
        std::optional<psl::Model> sound;  // the last version of the document that has no faults
        std::string sound_text;
    };

    nlohmann::json answer(const std::string& method, const nlohmann::json& parameters);
    nlohmann::json changed(const std::string& uri, std::string text);
    nlohmann::json hover(const nlohmann::json& parameters) const;
    nlohmann::json definition(const nlohmann::json& parameters) const;
    nlohmann::json completion(const nlohmann::json& parameters) const;
    nlohmann::json formatting(const nlohmann::json& parameters) const;
    const Document* document(const nlohmann::json& parameters) const;

    std::map<std::string, Document> documents_;  // the open documents, by URI
    bool shut_down_ = false;
    bool ended_ = false;
};

// Positions and URIs of the Language Server Protocol: lines from 0, characters as UTF-16 code units from 0.

/// Returns the offset of a position. A position beyond the end of its line means the end of the line, a line beyond the
/// last the end of the text.
std::size_t offset_of(std::string_view text, const nlohmann::json& position);
nlohmann::json position_of(std::string_view text, std::size_t offset);
nlohmann::json range_of(std::string_view text, std::size_t offset, std::size_t length);

std::filesystem::path path_of_uri(std::string_view uri);
std::string uri_of_path(const std::filesystem::path& path);

}  // namespace warpfront::tools
