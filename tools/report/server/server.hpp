// A server on the loopback for the page and its requests. Requests must have the address that `address` returns, which
// contains a random token; all others are refused:
//
//   GET  /TOKEN/         the page
//   POST /TOKEN/curves   {"at": POSITION}             -> {"curves": [[{"time_s": 1.2} or {"why": "..."}]]}: by knob and
//                                                     choice
//   POST /TOKEN/points   {"at": POSITION, "knob": 0}  -> {"points": [{"at": POSITION, "time_s": 1.2,
//                                                         "interval_s": [1.1, 1.3]}], "running": [{"at": POSITION,
//                                                         "done": 0.3}], "waiting": 4}; `interval_s` as in `run`
//   POST /TOKEN/save     {"at": POSITION}             -> {"file": "served/lu-1f2e3d4c.yaml"}
//
// A POSITION has the number of a choice for each knob. A refused request has one of these states:
//
//   400  a body of another form
//   403  a host or an origin that is not the page's own: pages of other sites, and other names of this host
//   404  another address
//   413  a body of more than 64 KiB
//   415  a body that is not JSON
//   422  a position that cannot be saved
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "tools/report/server/answers.hpp"
#include "tools/report/server/exploration.hpp"

namespace warpfront::tools {

class Server {
public:
    struct Answers {
        const Exploration& exploration;
        Curves& curves;
        EventPoints& points;
        std::filesystem::path folder;  // where scenarios are saved
    };

    /// Listens on `port` of the loopback, or on a free port if `port` is 0, and answers on its own threads until it is
    /// destroyed. Throws BadInput (bad_option) if the port is taken.
    Server(std::string page, const Answers& answers, std::uint16_t port);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    /// Returns the address of the page, such as "http://127.0.0.1:40123/5f0c.../".
    const std::string& address() const { return address_; }

private:
    struct Http;
    std::unique_ptr<Http> http_;
    std::string address_;
};

}  // namespace warpfront::tools
