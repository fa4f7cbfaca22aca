// Where the program's messages go.
#pragma once

#include <ostream>

namespace warpfront::tools {

/// From now on messages go to stderr.
void send_messages_to_stderr();
/// From now on messages go to `text`, which outlives them.
void send_messages_to(std::ostream& text);

}  // namespace warpfront::tools
