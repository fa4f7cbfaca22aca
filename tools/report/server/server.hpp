// The page and its answers on the loopback. Requests must have the address that `address` returns, which contains a
// random token; everything else is refused:
//
//   GET  /TOKEN/         the page
//   POST /TOKEN/curves   {"at": POSITION}             -> {"curves": [[{"time_s": 1.2} or {"why": "..."}]]}: by knob and
//                                                     choice
//   POST /TOKEN/points   {"at": POSITION, "knob": 0}  -> {"points": [{"at": POSITION, "time_s": 1.2,
//                                                         "interval_s": [1.1, 1.3]}], "running": [{"at": POSITION,
//                                                         "done": 0.3}], "waiting": 4}; `interval_s` as in `run`
//   POST /TOKEN/save     {"at": POSITION}             -> {"file": "served/lu-1f2e3d4c.yaml"}
//
// A POSITION has the number of a choice for each knob. Status: 400 for a body of another form, 403 for another host or
// origin than the page's own (neither a page of another site nor another name for this host may reach it), 404 for
// another address, 413 for a body of more than 64 KiB, 415 for one that is not JSON, 422 for a position that cannot be
// saved.
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
        std::filesystem::path folder;  // of saved scenarios
    };

    /// Listens on `port` of the loopback, or on a free one if that is 0, and answers on its own threads until it is
    /// destroyed. Throws BadInput (bad_option) if the port is taken.
    Server(std::string page, const Answers& answers, std::uint16_t port);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    /// "http://127.0.0.1:40123/5f0c.../"
    const std::string& address() const { return address_; }

private:
    struct Http;
    std::unique_ptr<Http> http_;
    std::string address_;
};

}  // namespace warpfront::tools
