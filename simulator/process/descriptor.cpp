#include "simulator/process/descriptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace warpfront::process {

Ends make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_system_error("pipe");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Ends make_socket() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw_system_error("socketpair");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void throw_system_error(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace warpfront::process
