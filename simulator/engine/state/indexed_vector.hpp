// Vectors that are indexed by the number of what they hold something for, and by no other number.
#pragma once

#include <cstdint>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

namespace warpfront::engine {

/// The numbers from `first` to `last`, which is none of them.
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

}  // namespace warpfront::engine
