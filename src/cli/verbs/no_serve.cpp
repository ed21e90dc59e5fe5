// In place of serve.cpp, in a build without it (FENDEX_SERVER=OFF).
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

Verb serve_verb() { return left_out("serve", "FENDEX_SERVER"); }

}  // namespace fendex::cli
