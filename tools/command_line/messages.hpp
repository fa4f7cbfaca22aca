// Where the program's messages go.
#pragma once

namespace warpfront::tools {

/// From now on messages go to stderr.
void send_messages_to_stderr();

}  // namespace warpfront::tools
