#include "tools/report/page/page.hpp"

#include <string_view>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline')";

constexpr std::string_view kOwnServer = "; connect-src 'self'";

constexpr std::string_view kTitle = R"(">
<meta name="generator" content="warpfront )" WARPFRONT_VERSION R"(">
<title>warpfront</title>
<style>
)";

constexpr std::string_view kBody = R"(</style>
</head>
<body>
<header><h1>warpfront</h1></header>
<main></main>
<noscript>The figures of this page are drawn by a script, which this browser does not run.</noscript>
<footer>Made by warpfront )" WARPFRONT_VERSION R"(. )";

constexpr std::string_view kFromDisk = "The results are part of this file; nothing is loaded.";
constexpr std::string_view kServed = "Served on localhost; nothing is loaded from elsewhere.";

void append_escaped(std::string& text, std::string_view json) {
    for (const char letter : json) {
        switch (letter) {
            case '<': text += "\\u003c"; break;
            case '>': text += "\\u003e"; break;
            case '&': text += "\\u0026"; break;
            default: text += letter;
        }
    }
}

void append_data(std::string& text, std::string_view id, const ordered_json& json) {
    text += fmt::format("<script type=\"application/json\" id=\"{}\">", id);
    append_escaped(text, json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    text += "</script>\n";
}

std::string composed(std::span<const NamedResult> results, const ordered_json* served) {
    ordered_json all = ordered_json::array();
    for (const auto& [name, result] : results) all.push_back({{"name", name}, {"result", result}});
    std::string text{kHead};
    if (served != nullptr) text += kOwnServer;
    text += kTitle;
    text += page_style();
    text += kBody;
    text += served != nullptr ? kServed : kFromDisk;
    text += "</footer>\n";
    append_data(text, "results", all);
    if (served != nullptr) append_data(text, "served", *served);
    text += "<script>\n";
    text += page_script();
    text += "</script>\n";
    if (served != nullptr) text.append("<script>\n").append(served_script()).append("</script>\n");
    return text + "</body>\n</html>\n";
}

}  // namespace

std::string page(std::span<const NamedResult> results) { return composed(results, nullptr); }

std::string live_page(std::span<const NamedResult> results, const ordered_json& served) {
    return composed(results, &served);
}

}  // namespace warpfront::tools
