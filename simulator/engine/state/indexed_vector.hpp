// Vectors that accept only the number type of their elements as an index (ids.hpp). Large vectors that are read at
// random use large pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <ranges>
#include <utility>
#include <vector>

#include <sys/mman.h>

namespace warpfront::engine {

/// Returns the numbers from `first` up to `last`, exclusive.
template <typename Id>
auto id_range(std::uint64_t first, std::uint64_t last) {
    return std::views::iota(first, last) |
           std::views::transform([](std::uint64_t index) { return Id{static_cast<decltype(Id::index)>(index)}; });
}

template <typename Id, typename T, typename Allocator = std::allocator<T>>
class IndexedVector : std::vector<T, Allocator> {
    using Values = std::vector<T, Allocator>;

public:
    IndexedVector() = default;
    using Values::Values;
    explicit IndexedVector(Values values) : Values(std::move(values)) {}

    typename Values::reference operator[](Id id) { return Values::operator[](id.index); }
    typename Values::const_reference operator[](Id id) const { return Values::operator[](id.index); }
    bool contains(Id id) const { return id.index < size(); }
    const Values& values() const { return *this; }
    auto ids() const { return id_range<Id>(0, size()); }

    using typename Values::value_type;
    using Values::assign;
    using Values::back;
    using Values::begin;
    using Values::capacity;
    using Values::clear;
    using Values::emplace_back;
    using Values::empty;
    using Values::end;
    using Values::front;
    using Values::push_back;
    using Values::reserve;
    using Values::resize;
    using Values::size;
};

/// The elements of an IndexedVector whose size does not change. Access needs one indirection less.
template <typename Id, typename T>
class IndexedSpan {
public:
    template <typename Vector>
    explicit IndexedSpan(Vector& vector) : first_(vector.empty() ? nullptr : &*vector.begin()) {}
    T& operator[](Id id) const { return first_[id.index]; }

private:
    T* first_;
};

/// Disjoint sets of numbers (union-find with path halving). The lowest number of a set represents the set.
template <typename Id>
class DisjointSets {
public:
    /// Makes a set of each number up to `count`.
    explicit DisjointSets(std::uint64_t count) {
        for (const Id id : id_range<Id>(0, count)) parent_.push_back(id);
    }
    void join(Id a, Id b) {
        a = representative(a);
        b = representative(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    Id representative(Id id) {
        while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
        return id;
    }

private:
    IndexedVector<Id, Id> parent_;
};

/// An allocator that requests large pages from the kernel. With pages of 4 KiB, most random accesses to a hundred
/// megabytes of ranks would miss the translation cache (TLB).
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
        if (large) madvise(memory, bytes, MADV_HUGEPAGE);  // only advice: without large pages the program is slower
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
