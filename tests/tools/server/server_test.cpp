// The answers of the server, and the requests that it refuses.
#include "tools/report/server/server.hpp"

#include <httplib.h>
#include <nlohmann/json.hpp>

#include "simulator/input/read_file.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"

using nlohmann::json;

namespace {

constexpr const char* kJson = "application/json";

/// A server of LU on 4 x 4 ranks, and a client of it.
struct Served {
    test::Scratch scratch;
    std::filesystem::path file = WARPFRONT_SOURCE_DIR "/models/lu/lu.yaml";
    Exploration exploration{file, input::read_file(file), {"ranks={columns: 4, rows: 4}", "iterations=1"}};
    Curves curves{exploration, 1};
    EventPoints points{exploration, 1};
    Server server{"the page", {exploration, curves, points, scratch.folder() / "served"}, 0};
    std::string host = server.address().substr(0, server.address().find('/', 8));  // http://127.0.0.1:40123
    std::string root = server.address().substr(host.size());
    httplib::Client client{host};

    json start() const { return exploration.start().choices; }
    int status_of_post(const std::string& what, const std::string& body, const httplib::Headers& headers = {}) {
        return client.Post((root + what).c_str(), headers, body, kJson)->status;
    }
    json answer(const std::string& what, const json& body) {
        const auto response = client.Post((root + what).c_str(), body.dump(), kJson);
        CHECK(response->status == 200);
        return json::parse(response->body);
    }
};

}  // namespace

TEST_CASE("the page is at an address of 128 random bits on the loopback, and at no other") {
    Served one;
    Served other;
    CHECK(one.host.starts_with("http://127.0.0.1:"));
    CHECK(one.root.size() == 2 + 32);  // hexadecimal, between slashes
    CHECK(one.root != other.root);
    const auto page = one.client.Get(one.root.c_str());
    CHECK(page->status == 200);
    CHECK(page->body == "the page");
    CHECK(page->get_header_value("Cache-Control") == "no-store");
    for (const std::string& address : {std::string("/"), other.root, one.root.substr(0, 33), one.root + "curves"}) {
        CHECK(one.client.Get(address.c_str())->status == 404);
    }
}

TEST_CASE("curves, points and saved scenarios are answered") {
    Served served;
    const json curves = served.answer("curves", {{"at", served.start()}})["curves"];
    CHECK(curves.size() == served.exploration.knobs().size());
    CHECK(curves[0].size() == served.exploration.knobs()[0].choices.size());
    CHECK(curves[0][0]["time_s"].get<double>() > 0);
    const json points = served.answer("points", {{"at", served.start()}, {"knob", 0}});
    CHECK(points.contains("running"));
    CHECK(points["waiting"].get<std::size_t>() + points["running"].size() + points["points"].size() ==
          curves[0].size());
    const std::filesystem::path saved = served.answer("save", {{"at", served.start()}})["file"].get<std::string>();
    CHECK(saved.parent_path() == served.scratch.folder() / "served");
    CHECK(std::filesystem::exists(saved));
}

TEST_CASE("other hosts and other origins are refused") {
    Served served;
    const std::string body = json{{"at", served.start()}}.dump();
    CHECK(served.status_of_post("curves", body, {{"Origin", served.host}}) == 200);
    CHECK(served.status_of_post("curves", body, {{"Origin", "http://elsewhere.example"}}) == 403);
    CHECK(served.status_of_post("curves", body, {{"Origin", "null"}}) == 403);
    CHECK(served.status_of_post("curves", body, {{"Sec-Fetch-Site", "cross-site"}}) == 403);
    CHECK(served.status_of_post("curves", body, {{"Host", "elsewhere.example"}}) == 403);
    CHECK(served.client.Get(served.root.c_str(), {{"Sec-Fetch-Site", "cross-site"}})->status == 403);
    CHECK(served.client.Get(served.root.c_str(), {{"Sec-Fetch-Site", "none"}})->status == 200);  // typed
}

TEST_CASE("requests of another form are refused, with the form") {
    Served served;
    for (const char* body : {"", "no json", "[]", "{}", R"({"at": 1})", R"({"at": [0]})", R"({"at": [0,0,0,0,0,99]})",
                             R"({"at": [0,0,0,0,0,-1]})", R"({"at": [0,0,0,0,0,0], "more": 1})"}) {
        CAPTURE(body);
        CHECK(served.status_of_post("curves", body) == 400);
    }
    const std::string at = served.start().dump();
    CHECK(served.status_of_post("points", R"({"at": )" + at + R"(, "knob": 99})") == 400);
    CHECK(served.status_of_post("points", R"({"at": )" + at + "}") == 400);
    const auto plain = served.client.Post((served.root + "curves").c_str(), R"({"at": )" + at + "}", "text/plain");
    CHECK(plain->status == 415);
    CHECK(json::parse(plain->body)["error"] == "expected Content-Type: application/json");
    CHECK(served.status_of_post("curves", std::string(100'000, ' ')) == 413);
    CHECK(served.client.Get(served.root.c_str())->status == 200);  // and it continues
}

TEST_CASE("a scenario that cannot be saved is reported, with the fault") {
    Served served;
    std::ofstream(served.scratch.folder() / "served") << "a file, where a folder should be made";
    const auto response =
        served.client.Post((served.root + "save").c_str(), json{{"at", served.start()}}.dump(), kJson);
    CHECK(response->status == 422);
    CHECK(holds(json::parse(response->body)["error"].get<std::string>(), "served"));
}

TEST_CASE("a port that is taken is a fault") {
    Served served;
    const auto port = static_cast<std::uint16_t>(std::stoi(served.host.substr(served.host.rfind(':') + 1)));
    const auto faults = test::faults_of([&] {
        const Server second("", {served.exploration, served.curves, served.points, "served"}, port);
    });
    CHECK(test::kinds_of(faults) == test::Kinds{bad_option});
    CHECK(holds(faults.render(), "is already in use"));
}
