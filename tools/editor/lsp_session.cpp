#include "tools/editor/lsp_session.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "psl/editing/format.hpp"
#include "psl/editing/symbols.hpp"
#include "simulator/input/diagnostic.hpp"

namespace warpfront::tools {

using nlohmann::json;

namespace {

constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kInvalidParams = -32602;
constexpr int kError = 1;      // the severity of a diagnostic
constexpr int kWholeText = 1;  // the kind of synchronisation of documents
/// Kinds of completion items: Keyword, Class, Function, Constant, Method, Variable.
constexpr int kKinds[]{14, 7, 3, 21, 2, 6};

json failure(const json& id, int code, const std::string& message) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

json capabilities() {
    return {{"capabilities",
             {{"positionEncoding", "utf-16"},
              {"textDocumentSync", kWholeText},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"documentFormattingProvider", true},
              {"completionProvider", json::object()}}},
            {"serverInfo", {{"name", "warpfront"}, {"version", WARPFRONT_VERSION}}}};
}

/// Returns the diagnostic of a fault. A fault of another file is placed at the beginning of this one.
json diagnostic(const input::Diagnostic& fault, const std::string& text, const std::filesystem::path& path) {
    const bool here = fault.range.source != nullptr && fault.range.source->name() == path.string();
    std::string message = fault.expected.empty() ? fault.message : fault.message + ": " + fault.expected;
    if (!here && fault.range.source != nullptr) message = input::text_of(fault.range) + ": " + message;
    const std::size_t length = fault.range.length == 0 ? 1 : fault.range.length;
    return {{"range", here ? range_of(text, fault.range.offset, length) : range_of(text, 0, 0)},
            {"severity", kError},
            {"source", "warpfront"},
            {"message", message}};
}

}  // namespace

std::vector<json> LspSession::handle(const json& message) {
    const bool request = message.is_object() && message.contains("id");
    const json id = request ? message["id"] : json();
    if (!message.is_object() || !message.contains("method") || !message["method"].is_string()) {
        // A response of the client has an id and no method.
        if (request && (message.contains("result") || message.contains("error"))) return {};
        return {failure(id, kInvalidRequest, "expected an object with a `method`")};
    }
    const std::string method = message["method"];
    try {
        json result = answer(method, message.value("params", json::object()));
        if (method == "textDocument/didOpen" || method == "textDocument/didChange" ||
            method == "textDocument/didClose") {
            return {std::move(result)};
        }
        if (!request) return {};
        if (result.is_discarded()) return {failure(id, kMethodNotFound, fmt::format("no method `{}`", method))};
        return {{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}};
    } catch (const json::exception& wrong) {
        if (!request) return {};
        return {failure(id, kInvalidParams, wrong.what())};
    }
}

json LspSession::answer(const std::string& method, const json& parameters) {
    if (method == "initialize") return capabilities();
    if (method == "shutdown") shut_down_ = true;
    if (method == "exit") ended_ = true;
    if (method == "shutdown" || method == "exit" || method == "initialized") return nullptr;
    if (method == "textDocument/didOpen") {
        const json& opened = parameters.at("textDocument");
        return changed(opened.at("uri"), opened.at("text"));
    }
    if (method == "textDocument/didChange") {
        return changed(parameters.at("textDocument").at("uri"), parameters.at("contentChanges").at(0).at("text"));
    }
    if (method == "textDocument/didClose") {
        const std::string uri = parameters.at("textDocument").at("uri");
        documents_.erase(uri);
        return {{"jsonrpc", "2.0"},
                {"method", "textDocument/publishDiagnostics"},
                {"params", {{"uri", uri}, {"diagnostics", json::array()}}}};
    }
    if (method == "textDocument/hover") return hover(parameters);
    if (method == "textDocument/definition") return definition(parameters);
    if (method == "textDocument/completion") return completion(parameters);
    if (method == "textDocument/formatting") return formatting(parameters);
    return json(json::value_t::discarded);
}

json LspSession::changed(const std::string& uri, std::string text) {
    Document& document = documents_[uri];
    document.text = std::move(text);
    const std::filesystem::path path = path_of_uri(uri);
    json faults = json::array();
    try {
        document.sound = psl::load_text(path, document.text);
        document.sound_text = document.text;
    } catch (const input::BadInput& bad) {
        for (const input::Diagnostic& fault : bad.diagnostics().all()) {
            faults.push_back(diagnostic(fault, document.text, path));
        }
    }
    return {{"jsonrpc", "2.0"},
            {"method", "textDocument/publishDiagnostics"},
            {"params", {{"uri", uri}, {"diagnostics", std::move(faults)}}}};
}

const LspSession::Document* LspSession::document(const json& parameters) const {
    const auto found = documents_.find(parameters.at("textDocument").at("uri").get<std::string>());
    return found == documents_.end() ? nullptr : &found->second;
}

json LspSession::hover(const json& parameters) const {
    const Document* open = document(parameters);
    if (open == nullptr || !open->sound) return nullptr;
    const auto symbol = psl::symbol_at(*open->sound, offset_of(open->sound_text, parameters.at("position")));
    if (!symbol) return nullptr;
    return {{"contents", {{"kind", "plaintext"}, {"value", symbol->text}}},
            {"range", range_of(open->sound_text, symbol->range.offset, symbol->range.length)}};
}

json LspSession::definition(const json& parameters) const {
    const Document* open = document(parameters);
    if (open == nullptr || !open->sound) return nullptr;
    const auto symbol = psl::symbol_at(*open->sound, offset_of(open->sound_text, parameters.at("position")));
    if (!symbol || symbol->declared.source == nullptr) return nullptr;
    const input::SourceFile& source = *symbol->declared.source;
    return {{"uri", uri_of_path(source.name())},
            {"range", range_of(source.text(), symbol->declared.offset, symbol->declared.length)}};
}

json LspSession::completion(const json& parameters) const {
    const Document* open = document(parameters);
    json items = json::array();
    for (const psl::Word& each : psl::words(open != nullptr && open->sound ? &*open->sound : nullptr)) {
        items.push_back(
            {{"label", each.text}, {"kind", kKinds[static_cast<std::size_t>(each.kind)]}, {"detail", each.detail}});
    }
    return items;
}

/// Returns the edits: none if the text has syntax faults or is in canonical layout, else one edit of the whole text.
/// The client's options for tabs and blanks are not used.
json LspSession::formatting(const json& parameters) const {
    const Document* open = document(parameters);
    json edits = json::array();
    if (open == nullptr) return edits;
    try {
        std::string text = psl::formatted(std::make_shared<const input::SourceFile>("", open->text));
        if (text != open->text) {
            edits.push_back({{"range", range_of(open->text, 0, open->text.size())}, {"newText", std::move(text)}});
        }
    } catch (const input::BadInput&) {
        return edits;  // the faults are published when the text changes
    }
    return edits;
}

namespace {

constexpr std::string_view kFileScheme = "file://";

/// Returns the UTF-16 code units that the byte adds: 0 inside a code point, 2 at the first byte of four.
std::size_t units_of(char byte) {
    const auto bits = static_cast<unsigned char>(byte);
    if ((bits & 0xC0U) == 0x80U) return 0;
    return bits >= 0xF0U ? 2 : 1;
}

}  // namespace

std::size_t offset_of(std::string_view text, const nlohmann::json& position) {
    std::size_t at = 0;
    for (auto line = position.at("line").get<std::uint64_t>(); line > 0; --line) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos) return text.size();
        at = end + 1;
    }
    const auto wanted = position.at("character").get<std::uint64_t>();
    std::uint64_t units = 0;
    while (at < text.size() && text[at] != '\n' && (units < wanted || units_of(text[at]) == 0)) {
        units += units_of(text[at++]);
    }
    return at;
}

nlohmann::json position_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t last = before.rfind('\n');
    const std::string_view line = last == std::string_view::npos ? before : before.substr(last + 1);
    std::size_t units = 0;
    for (const char byte : line) units += units_of(byte);
    return {{"line", std::count(before.begin(), before.end(), '\n')}, {"character", units}};
}

nlohmann::json range_of(std::string_view text, std::size_t offset, std::size_t length) {
    return {{"start", position_of(text, offset)}, {"end", position_of(text, offset + length)}};
}

std::filesystem::path path_of_uri(std::string_view uri) {
    if (uri.substr(0, kFileScheme.size()) == kFileScheme) uri.remove_prefix(kFileScheme.size());
    std::string path;
    for (std::size_t at = 0; at < uri.size(); ++at) {
        const bool coded = uri[at] == '%' && at + 2 < uri.size() &&
                           std::isxdigit(static_cast<unsigned char>(uri[at + 1])) != 0 &&
                           std::isxdigit(static_cast<unsigned char>(uri[at + 2])) != 0;
        if (!coded) {
            path += uri[at];
            continue;
        }
        path += static_cast<char>(std::stoi(std::string(uri.substr(at + 1, 2)), nullptr, 16));
        at += 2;
    }
    return path;
}

std::string uri_of_path(const std::filesystem::path& path) {
    std::string uri(kFileScheme);
    for (const char each : std::filesystem::absolute(path).lexically_normal().string()) {
        const bool plain = std::isalnum(static_cast<unsigned char>(each)) != 0 ||
                           std::string_view("/-._~").find(each) != std::string_view::npos;
        uri += plain ? std::string(1, each) : fmt::format("%{:02X}", static_cast<unsigned char>(each));
    }
    return uri;
}

}  // namespace warpfront::tools
