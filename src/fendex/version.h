/* The version of fendex. CMake reads it from here. */
#ifndef FENDEX_VERSION_H
#define FENDEX_VERSION_H

#define FENDEX_VERSION_MAJOR 0
#define FENDEX_VERSION_MINOR 2
#define FENDEX_VERSION_PATCH 0

/* The version as a string, "0.2.0". */
#define FENDEX_VERSION \
    FENDEX_DOTTED(FENDEX_VERSION_MAJOR, FENDEX_VERSION_MINOR, FENDEX_VERSION_PATCH)
#define FENDEX_DOTTED(major, minor, patch) FENDEX_DOTTED_TEXT(major, minor, patch)
#define FENDEX_DOTTED_TEXT(major, minor, patch) #major "." #minor "." #patch

#endif
