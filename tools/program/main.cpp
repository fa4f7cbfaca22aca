#include "tools/program/command_line/command_line.hpp"

int main(int argc, char** argv) { return warpfront::tools::command_line(argc, argv); }
