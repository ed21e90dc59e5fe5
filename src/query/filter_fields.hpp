// The fields of a filter and their help texts. They are options of the command line and parameters
// of the server.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace fendex::query {

struct FilterField {
    std::string name;   // for GameFilter::set()
    std::string value;  // the name of the value in help
    std::string help;
    std::vector<std::string> choices = {};  // the possible values; empty means any
    bool repeatable = false;
};

/// Returns all fields, in the order of help.
std::span<const FilterField> filter_fields();

}  // namespace fendex::query
