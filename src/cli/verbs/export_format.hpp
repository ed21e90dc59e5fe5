// The formats of `export`: by --format, or by the name of the output.
#pragma once

#include <string>
#include <vector>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

struct ExportFormat {
    const char* name;
    std::vector<const char*> endings;  // endings of file names
};

const std::vector<ExportFormat>& export_formats();

/// Returns the format of a file's name, compressed or not; empty if its ending is not known.
std::string format_of_name(const std::string& output);
/// Returns the format that --format names, else the format of the output's name, compressed or not;
/// PGN for a name without an ending. Throws UsageError for an ending that is not known.
std::string export_format_of(const Arguments& arguments);

/// Returns whether positions are exported. They must all be of one variant, because a FEN need not
/// name it.
bool is_of_positions(const Arguments& arguments);

}  // namespace fendex::cli
