// File descriptors that close with their owner.
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

}  // namespace warpfront::process
