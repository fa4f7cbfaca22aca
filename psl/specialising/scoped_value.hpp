// A variable with another value for as long as a scope lasts, also where an exception ends it.
#pragma once

#include <utility>

namespace warpfront::psl {

template <class Value>
class ScopedValue {
public:
    ScopedValue(Value& variable, Value value)
        : variable_(variable), outer_(std::exchange(variable, std::move(value))) {}
    ~ScopedValue() { variable_ = std::move(outer_); }
    ScopedValue(const ScopedValue&) = delete;
    ScopedValue& operator=(const ScopedValue&) = delete;

private:
    Value& variable_;
    Value outer_;
};

}  // namespace warpfront::psl
