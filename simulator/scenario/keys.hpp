// Every key of a scenario with its description: the source of completion, and of tests of the documents. A test
// compares the list with the keys that read_scenario accepts.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpfront::scenario {

struct Key {
    std::string_view path;         // path as in `--set`; the name of a list precedes the keys of its items
    std::string_view form;         // form of the value, with its unit
    std::string_view if_left_out;  // the default; "required", or the replacement
    std::string_view means;
};

/// Returns the key `name` itself, or else the paths of keys that end in it, without those of a list's items:
/// `ranks.columns` and `node.columns` for `columns`.
std::vector<std::string> paths_ending_in(std::string_view name);

/// Returns paths of the keys that name files; one of them, `platform.topology.file`, is a key of the machine.
std::vector<std::string> paths_of_files();

/// Returns all keys in the best order for reading a scenario.
std::span<const Key> keys();

}  // namespace warpfront::scenario
