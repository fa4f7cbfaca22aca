// A library of the program that is loaded on first use, so that a start without it is quick and works if its
// dependencies are not installed: SimGrid (simulator/simgrid).
//
// It is found in a folder that the RUNPATH of the calling program or library names (CMakeLists.txt and
// tools/embedding/installation.cmake set it), else in the library folders of the system (ld.so(8)). Its dependencies
// stay invisible to the rest of the process: libsimgrid has functions with the names of MPI's.
//
// Functions of a module have C names, so that dlsym finds them, and C++ types, so that program and module must have the
// same build stamp. A module `X` has the function `const char* X_build()` for this purpose. May be used by several
// threads at a time.
#pragma once

#include <stdexcept>
#include <string>

namespace warpfront::process {

/// Returns the build stamp of the program or module that contains the call: its version, its compiler, and a hash of
/// the compiler's options and of all headers of the simulator. CMakeLists.txt generates it.
const char* build_stamp();

/// An exception for a module that is missing or of another build; what() names the file.
class MissingModule : public std::runtime_error {
public:
    MissingModule(const std::string& module, const std::string& reason);
    const std::string& remedy() const { return remedy_; }

private:
    std::string remedy_;
};

class Module {
public:
    /// Loads `name`.so unless it is loaded; it stays until the process ends. Throws MissingModule, also if its build
    /// stamp differs from that of the program.
    explicit Module(const std::string& name);

    /// Returns a function. Throws MissingModule if the module has no such function.
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
