// In place of push.cpp, in a build without it (FENDEX_CLUSTER=OFF).
#include "cli/verbs/verbs.hpp"

namespace fendex::cli {

Verb push_verb() { return left_out("push", "FENDEX_CLUSTER"); }

}  // namespace fendex::cli
