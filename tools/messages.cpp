#include "tools/messages.hpp"

#include <memory>
#include <utility>

#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace warpfront::tools {

namespace {

void send_messages_to(spdlog::sink_ptr sink) {
    auto logger = std::make_shared<spdlog::logger>("warpfront", std::move(sink));
    logger->set_pattern("%v");
    spdlog::set_default_logger(std::move(logger));
}

}  // namespace

void send_messages_to_stderr() { send_messages_to(std::make_shared<spdlog::sinks::stderr_sink_st>()); }

void send_messages_to(std::ostream& text) { send_messages_to(std::make_shared<spdlog::sinks::ostream_sink_st>(text)); }

}  // namespace warpfront::tools
