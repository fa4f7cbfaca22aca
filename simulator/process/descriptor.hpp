// File descriptors that close with their owner, and pairs of connected ones.
#pragma once

#include <utility>

#include <unistd.h>

namespace warpfront::process {

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() { close(); }
    int number() const { return number_; }
    bool open() const { return number_ >= 0; }
    void close() {
        if (open()) ::close(std::exchange(number_, -1));
    }

private:
    int number_;
};

/// Two connected ends.
struct Ends {
    Descriptor ours;
    Descriptor workers;
};

/// `ours` reads what is written to `workers`. Throws std::system_error.
Ends make_pipe();
/// Both ways. Throws std::system_error.
Ends make_socket();

/// Throws std::system_error of the last system call.
[[noreturn]] void throw_system_error(const char* what);

}  // namespace warpfront::process
