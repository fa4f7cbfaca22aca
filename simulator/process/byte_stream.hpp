// Plain values as bytes, from a worker process to its parent. Writer and reader are the same program, so the stream
// needs neither a format nor a version.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace warpfront::process {

class ByteWriter {
public:
    template <class Value>
        requires std::is_trivially_copyable_v<Value>
    void put(const Value& value) {
        char raw[sizeof(Value)];
        std::memcpy(raw, &value, sizeof(Value));
        bytes_.append(raw, sizeof(Value));
    }
    void put_text(std::string_view text) {
        put<std::uint64_t>(text.size());
        bytes_.append(text);
    }
    template <class Sequence, class Put>
    void put_each(const Sequence& sequence, Put put_one) {
        put<std::uint64_t>(sequence.size());
        for (const auto& value : sequence) put_one(value);
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// A reader of the values that a ByteWriter wrote, in the same order; throws std::out_of_range past the end.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

    template <class Value>
        requires std::is_trivially_copyable_v<Value> Value get() {
            Value value;
            std::memcpy(&value, next(sizeof(Value)).data(), sizeof(Value));
            return value;
        }
    std::string text() {
        const auto length = get<std::uint64_t>();
        return std::string(next(length));
    }
    template <class Take>
    void each(Take take_one) {
        const auto count = get<std::uint64_t>();
        for (std::uint64_t k = 0; k < count; ++k) take_one();
    }

private:
    std::string_view next(std::size_t length) {
        if (length > bytes_.size()) throw std::out_of_range("an answer ended early");
        const std::string_view front = bytes_.substr(0, length);
        bytes_.remove_prefix(length);
        return front;
    }
    std::string_view bytes_;
};

}  // namespace warpfront::process
