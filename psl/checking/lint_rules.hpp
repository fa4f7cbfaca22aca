// The rules behind lints.hpp, by subject. Each adds its notes on the first file of the model.
#pragma once

#include <string>
#include <vector>

#include "psl/checking/model.hpp"

namespace warpfront::psl {

struct Lint {
    Span span;
    std::string text;
};

void find_unused(const CheckedModel& model, std::vector<Lint>& found);           // unused_names.cpp
void find_dead_statements(const CheckedModel& model, std::vector<Lint>& found);  // dead_statements.cpp

}  // namespace warpfront::psl
