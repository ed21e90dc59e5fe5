// A field of a question: what it is called, what it means, and how a text sets it. Each field is
// stated once, in a table; the command line's options, the parameters of the server, the members of
// C's questions and Python's keywords are made from the table.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace fendex::ask {

enum class FieldType { kText, kNumber, kFlag };

struct FieldText {
    std::string name;   // in C and Python with _ for -
    std::string value;  // the name of the value in help; empty for a flag
    std::string help;
    FieldType type = FieldType::kText;
    std::vector<std::string> choices = {};  // the possible values; empty: any
    bool repeatable = false;
    bool required = false;
    bool first_by_default = false;  // without a value, the first choice applies
    // The least and the greatest value of a number.
    std::uint64_t low = 0;
    std::uint64_t high = std::numeric_limits<std::uint32_t>::max();

    bool operator==(const FieldText&) const = default;
};

template <typename Question>
struct Field {
    FieldText text;
    /// Sets the field. For a flag the value is "true". Throws std::invalid_argument with what to
    /// write instead.
    void (*set)(Question&, const std::string& value);
};

}  // namespace fendex::ask
