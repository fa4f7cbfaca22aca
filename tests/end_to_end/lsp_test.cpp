// `warpfront lsp` with a client's bytes: framed JSON-RPC on stdin, answers on stdout.
#include "tests/end_to_end/program.hpp"

namespace {

std::string framed(json message) {
    message["jsonrpc"] = "2.0";
    const std::string text = message.dump();
    return fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text);
}

std::vector<json> unframed(std::string bytes) {
    std::vector<json> all;
    const std::string header = "Content-Length: ";
    while (bytes.starts_with(header)) {
        const std::size_t length = std::stoul(bytes.substr(header.size()));
        const std::size_t start = bytes.find("\r\n\r\n") + 4;
        all.push_back(json::parse(bytes.substr(start, length)));
        bytes.erase(0, start + length);
    }
    CHECK(bytes == "");
    return all;
}

Outcome session(const std::string& bytes) {
    const Scratch scratch;
    return run_in(kRoot, quoted(WARPFRONT_PROGRAM) + " lsp < " + quoted(scratch.file("session", bytes)));
}

}  // namespace

TEST_CASE("an editor's session: open a model, point at a name, end") {
    const std::string uri = "file://" + (kRoot / "models/chimaera/chimaera.psl").string();
    const json document{
        {"uri", uri}, {"languageId", "psl"}, {"version", 1}, {"text", text_of(kRoot / "models/chimaera/chimaera.psl")}};
    std::string bytes;
    for (const json& message :
         {json{{"id", 1}, {"method", "initialize"}, {"params", {{"capabilities", json::object()}}}},
          json{{"method", "initialized"}, {"params", json::object()}},
          json{{"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}},
          json{{"id", 2},
               {"method", "textDocument/hover"},
               {"params", {{"textDocument", {{"uri", uri}}}, {"position", {{"line", 4}, {"character", 11}}}}}},
          json{{"id", 3}, {"method", "shutdown"}}, json{{"method", "exit"}}}) {
        bytes += framed(message);
    }
    const Outcome outcome = session(bytes);
    CHECK(outcome.status == 0);
    const std::vector<json> answers = unframed(outcome.out);
    REQUIRE(answers.size() == 4);
    CHECK(answers[0].at("result").at("serverInfo").at("name") == "warpfront");
    CHECK(answers[1].at("params").at("diagnostics").empty());
    CHECK(answers[2].at("result").at("contents").at("value") == "param nx: int = 240");
    CHECK(answers[3].at("id") == 3);
}

TEST_CASE("an editor that vanishes, and bytes that are no message, end the server without a crash") {
    CHECK(session("").status == 1);
    CHECK(session("Content-Length: 99999999999\r\n\r\n{}").status == 1);
    CHECK(session("Content-Length: 10\r\n\r\n{}").status == 1);
    const Outcome garbage = session("Content-Length: 3\r\n\r\n{{{" + framed({{"method", "exit"}}));
    CHECK(garbage.status == 1);  // no `shutdown` before
    CHECK(unframed(garbage.out).at(0).at("error").at("code") == -32600);
}
