// What the terminal can do that standard output or standard error is connected to.
#pragma once

#include <cstddef>

namespace fendex::base {

struct Screen {
    std::size_t width = 0;  // in columns; 0: no terminal, lines may be of any length
    bool colours = false;   // not if TERM is "dumb" or NO_COLOR is set
};

/// Of standard output. The width is $COLUMNS if that is a number, else what the terminal says, else
/// 80.
Screen screen();

/// Whether a line of standard error can be written over: it is a terminal, and TERM is not "dumb".
bool can_rewrite_errors();

}  // namespace fendex::base
