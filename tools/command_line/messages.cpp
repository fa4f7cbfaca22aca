#include "tools/command_line/messages.hpp"

#include <memory>
#include <utility>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace warpfront::tools {

void send_messages_to_stderr() {
    auto logger = std::make_shared<spdlog::logger>("warpfront", std::make_shared<spdlog::sinks::stderr_sink_st>());
    logger->set_pattern("%v");
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace warpfront::tools
