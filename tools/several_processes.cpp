#include "tools/several_processes.hpp"

#include <cstdio>
#include <sstream>

#include <spdlog/spdlog.h>

#include "simulator/engine/parallel/peers.hpp"
#include "tools/messages.hpp"

namespace warpfront::tools {

int among_processes(const LaunchedProcesses& launched, const std::function<int()>& command) {
    const bool silent = launched.index() > 0;
    std::ostringstream messages;
    if (silent) {
        send_messages_to(messages);
        for (std::FILE* const stream : {stdout, stderr}) {
            [[maybe_unused]] const std::FILE* const nowhere = std::freopen("/dev/null", "w", stream);
        }
    }
    const auto report = [&](const engine::Ending& other) {
        if (!silent) spdlog::error("process {} failed: {}", other.process, other.message);
        return other.status;
    };
    try {
        const int status = command();
        const engine::Ending mine{status, messages.str(), launched.index()};
        const engine::Ending first = engine::Peers(launched.group()).end(mine);
        return first.process == mine.process || mine.status != 0 ? first.status : report(first);
    } catch (const engine::PeerEnded& ended) {
        return report(ended.ending());
    }
}

}  // namespace warpfront::tools
