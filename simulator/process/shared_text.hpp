// A text in memory that a forked process shares.
#pragma once

#include <cstddef>

#include <sys/mman.h>

#include "simulator/process/descriptor.hpp"

namespace warpfront::process {

/// Anonymous memory, zero at first.
class SharedText {
public:
    explicit SharedText(std::size_t size)
        : size_(size), text_(::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (text_ == MAP_FAILED) throw_system_error("mmap");
    }
    SharedText(const SharedText&) = delete;
    SharedText& operator=(const SharedText&) = delete;
    ~SharedText() { ::munmap(text_, size_); }
    char* text() const { return static_cast<char*>(text_); }

private:
    std::size_t size_;
    void* text_;
};

}  // namespace warpfront::process
