// A library of the program that is loaded when it is first needed, so that a start without it is quick and works where
// what it links is not installed: SimGrid (simulator/simgrid).
//
// Where it lies: in a folder that the RUNPATH of the calling program or library names (CMakeLists.txt and
// tools/installation.cmake set it), else where the system looks for libraries (ld.so(8)). What it links stays invisible
// to the rest of the process: libsimgrid has functions of the names that MPI has.
//
// Functions of a module have C names, so that dlsym finds them, and C++ types, so that program and module must be of
// one build. For several threads at a time.
#pragma once

#include <stdexcept>
#include <string>

namespace warpfront::process {

/// what() names the file that is missing.
class MissingModule : public std::runtime_error {
public:
    MissingModule(const std::string& module, const std::string& reason);
    const std::string& remedy() const { return remedy_; }

private:
    std::string remedy_;
};

class Module {
public:
    /// Loads `name`.so unless it is loaded; it stays until the process ends. Throws MissingModule.
    explicit Module(const std::string& name);

    /// Throws MissingModule if the module, as one of another version, has no such function.
    template <typename Function>
    Function* function(const char* function_name) const {
        return reinterpret_cast<Function*>(address_of(function_name));
    }

private:
    void* address_of(const char* function_name) const;

    std::string name_;
    void* library_;
};

}  // namespace warpfront::process
