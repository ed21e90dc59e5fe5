// The terminal that standard output or standard error is connected to.
#pragma once

#include <cstddef>

namespace fendex::base {

struct Screen {
    std::size_t width = 0;  // in columns; 0: not a terminal, lines may have any length
    bool colours = false;   // false if TERM is "dumb" or NO_COLOR is set
};

/// Describes standard output. The width is $COLUMNS, else the terminal's, whichever is first a
/// number of at least 20; else 80.
Screen screen();

/// Returns whether a line of standard error can be rewritten: it is a terminal and TERM is not
/// "dumb".
bool can_rewrite_errors();

}  // namespace fendex::base
