// Every key of a scenario, in words: what documents and completion are made from, or are tested against. A test
// compares the list with the keys that read_scenario accepts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::scenario {

struct Key {
    std::string_view path;         // as `--set` takes it; keys of a list's items stand below the list
    std::string_view form;         // of the value, with its unit
    std::string_view if_left_out;  // the default; "required", or what takes its place
    std::string_view means;
};

/// The key `name` itself, or else the paths of keys that end in it, without those of a list's items: `ranks.columns`
/// and `node.columns` for `columns`.
std::vector<std::string> paths_ending_in(std::string_view name);

/// Paths of the keys that name files; one of them, `platform.topology.file`, is a key of the machine.
std::vector<std::string> paths_of_files();

/// In the order in which a scenario is best read.
std::span<const Key> keys();

}  // namespace warpfront::scenario
