// A vector for what is large and read at random: it requests large pages from the kernel, since with pages of 4 KiB
// most accesses to a hundred megabytes of ranks would first miss in the translation of addresses.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include <sys/mman.h>

#include "simulator/engine/state/indexed_vector.hpp"

namespace warpfront::engine {

template <typename T>
struct LargePages {
    using value_type = T;

    LargePages() = default;
    template <typename Other>
    LargePages(const LargePages<Other>&) {}

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        const bool large = bytes >= kPage;
        const std::size_t alignment = large ? kPage : kLine;
        void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        if (memory == nullptr) throw std::bad_alloc();
        if (large) madvise(memory, bytes, MADV_HUGEPAGE);  // only advice: without it all works, slower
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { std::free(memory); }

    friend bool operator==(const LargePages&, const LargePages&) { return true; }

private:
    static constexpr std::size_t kPage = std::size_t{1} << 21;
    static constexpr std::size_t kLine = 64;
};

template <typename T>
using LargePageVector = std::vector<T, LargePages<T>>;

template <typename Id, typename T>
using HugePageArray = IndexedVector<Id, T, LargePages<T>>;

}  // namespace warpfront::engine
