#include "tools/report/server/server.hpp"

#include <functional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "tools/report/server/exploration.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::json;

constexpr const char* kHost = "127.0.0.1";
constexpr std::size_t kLongestBody = 64 * 1024;

/// Returns 128 random bits as text.
std::string token() {
    std::random_device random;
    std::string text;
    for (int k = 0; k < 4; ++k) text += fmt::format("{:08x}", random());
    return text;
}

json answered(const Answer& answer) {
    if (!answer.time) return {{"why", answer.why}};
    json point{{"time_s", seconds(*answer.time)}};
    if (answer.interval) point["interval_s"] = {answer.interval->low_s, answer.interval->high_s};
    return point;
}

json answered(const EventPoints::Status& seen) {
    json points = json::array();
    json running = json::array();
    for (const auto& [at, answer] : seen.points) {
        json point = answered(answer);
        point["at"] = at.choices;
        points.push_back(std::move(point));
    }
    for (const auto& [at, done] : seen.running) running.push_back({{"at", at.choices}, {"done", done}});
    return {{"points", points}, {"running", running}, {"waiting", seen.waiting}};
}

struct Refusal {
    int status;
    std::string why;
};

/// The body of a request: a position, and a knob if one `has_knob`.
struct PositionRequest {
    Position at;
    std::size_t knob = 0;
};

PositionRequest read(const httplib::Request& request, const Exploration& exploration, bool has_knob) {
    if (!request.get_header_value("Content-Type").starts_with("application/json")) {
        throw Refusal{415, "expected Content-Type: application/json"};
    }
    const json body = json::parse(request.body, nullptr, false);
    const std::size_t keys = has_knob ? 2 : 1;
    if (!body.is_object() || body.size() != keys || !body.contains("at")) {
        throw Refusal{400, has_knob ? R"(expected {"at": POSITION, "knob": NUMBER})" : R"(expected {"at": POSITION})"};
    }
    if (!exploration.is_position(body["at"])) throw Refusal{400, "expected the number of a choice for each knob"};
    PositionRequest asked{{body["at"].get<std::vector<std::size_t>>()}};
    if (!has_knob) return asked;
    const bool known = body.contains("knob") && body["knob"].is_number_unsigned() &&
                       body["knob"].get<std::uint64_t>() < exploration.knobs().size();
    if (!known) throw Refusal{400, "expected the number of a knob"};
    asked.knob = body["knob"].get<std::size_t>();
    return asked;
}

void answer(httplib::Response& response, int status, const json& body) {
    response.status = status;
    response.set_content(body.dump(-1, ' ', false, json::error_handler_t::replace), "application/json");
}

}  // namespace

struct Server::Http {
    httplib::Server server;
    std::thread thread;
    std::set<std::string> hosts;

    void post(const std::string& path, const Exploration& exploration, bool has_knob,
              std::function<json(const PositionRequest&)> give) {
        server.Post(path, [&exploration, has_knob, give = std::move(give)](const httplib::Request& request,
                                                                           httplib::Response& response) {
            try {
                answer(response, 200, give(read(request, exploration, has_knob)));
            } catch (const Refusal& refused) {
                answer(response, refused.status, {{"error", refused.why}});
            } catch (const BadInput& bad) {
                answer(response, 422, {{"error", bad.what()}});
            }
        });
    }

    /// Returns true for requests of the page itself: they name this host, and come from the page or from a typed
    /// address.
    bool is_own(const httplib::Request& request) const {
        const std::string host = request.get_header_value("Host");
        if (!hosts.contains(host)) return false;
        const std::string site = request.get_header_value("Sec-Fetch-Site");
        if (!site.empty() && site != "same-origin" && site != "none") return false;
        return !request.has_header("Origin") || request.get_header_value("Origin") == "http://" + host;
    }

    void configure() {
        // The library's own options would let two servers share a port.
        server.set_socket_options([](socket_t socket) {
            const int on = 1;
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
        });
        server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
            if (is_own(request)) return httplib::Server::HandlerResponse::Unhandled;
            answer(response, 403, {{"error", "the request comes from another host or origin"}});
            return httplib::Server::HandlerResponse::Handled;
        });
        server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
            if (response.body.empty())
                answer(response, response.status, {{"error", "there is nothing at this address"}});
        });
        server.set_payload_max_length(kLongestBody);
        server.set_read_timeout(5);
        server.set_keep_alive_timeout(1);  // an idle connection delays the end by this time
        server.set_default_headers({{"Cache-Control", "no-store"},
                                    {"X-Content-Type-Options", "nosniff"},
                                    {"X-Frame-Options", "DENY"},
                                    {"Referrer-Policy", "same-origin"},
                                    {"Cross-Origin-Resource-Policy", "same-origin"}});
    }
};

Server::Server(std::string page, const Answers& answers, std::uint16_t port) : http_(std::make_unique<Http>()) {
    httplib::Server& server = http_->server;
    http_->configure();
    const int bound = port == 0 ? server.bind_to_any_port(kHost) : server.bind_to_port(kHost, port) ? port : -1;
    if (bound < 0) {
        throw BadInput(DiagnosticKind::bad_option, {}, fmt::format("port {} of {} is already in use", port, kHost),
                       "expected a free port; without `--port`, `serve` chooses one");
    }
    const std::string root = fmt::format("/{}/", token());
    address_ = fmt::format("http://{}:{}{}", kHost, bound, root);
    http_->hosts = {fmt::format("{}:{}", kHost, bound), fmt::format("localhost:{}", bound)};
    server.Get(root, [page = std::move(page)](const httplib::Request&, httplib::Response& response) {
        response.set_content(page, "text/html; charset=utf-8");
    });
    const Exploration& exploration = answers.exploration;
    http_->post(root + "curves", exploration, false, [&curves = answers.curves](const PositionRequest& asked) -> json {
        json all = json::array();
        for (const auto& curve : curves.from(asked.at)) {
            json points = json::array();
            for (const Answer& each : curve) points.push_back(answered(each));
            all.push_back(std::move(points));
        }
        return {{"curves", all}};
    });
    http_->post(root + "points", exploration, true, [&points = answers.points](const PositionRequest& asked) {
        return answered(points.poll(asked.at, asked.knob));
    });
    http_->post(root + "save", exploration, false,
                [&exploration, folder = answers.folder](const PositionRequest& asked) -> json {
                    return {{"file", save_scenario(exploration, asked.at, folder).generic_string()}};
                });
    http_->thread = std::thread([&server] { server.listen_after_bind(); });
    while (!server.is_running()) std::this_thread::yield();
}

Server::~Server() {
    http_->server.stop();
    http_->thread.join();
}

}  // namespace warpfront::tools
